// The balancer hbal: finds moves that make a node group balanced and safe.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hbal_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hbal_main(const CommandLine<HbalOptions>& command_line);

}  // namespace htools
