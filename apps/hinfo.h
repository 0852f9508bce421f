// The overview hinfo: shows the contents of a cluster and how good its placement is.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hinfo_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hinfo_main(const CommandLine<HinfoOptions>& command_line);

}  // namespace htools
