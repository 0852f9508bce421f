// The tool hsweep: the same question for thousands of scenarios.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hsweep_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hsweep_main(const CommandLine<HsweepOptions>& command_line);

}  // namespace htools
