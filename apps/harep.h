// The repairer harep: repairs instances that have lost nodes, as far as their tags allow it.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/harep_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int harep_main(const CommandLine<HarepOptions>& command_line);

}  // namespace htools
