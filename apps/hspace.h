// The capacity simulator hspace: finds how many more instances fit on a cluster.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hspace_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hspace_main(const CommandLine<HspaceOptions>& command_line);

}  // namespace htools
