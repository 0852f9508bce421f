// The instance allocator hail: finds places for new instances and for instances that must move.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hail_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hail_main(const CommandLine<HailOptions>& command_line);

}  // namespace htools
