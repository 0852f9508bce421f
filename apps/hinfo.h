// The overview: what is on a cluster, and how good is its placement?
#pragma once

#include "apps/common/command_line.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hinfo_main(const CommandLine& command_line);

}  // namespace htools
