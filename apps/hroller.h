// The reboot planner hroller: finds groups of nodes that can be rebooted together.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hroller_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hroller_main(const CommandLine<HrollerOptions>& command_line);

}  // namespace htools
