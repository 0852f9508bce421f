// The power saver hsqueeze: finds nodes that can be switched off, or that must be switched on.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hsqueeze_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hsqueeze_main(const CommandLine<HsqueezeOptions>& command_line);

}  // namespace htools
