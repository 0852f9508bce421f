// The importer himport: turns what other platforms export into a cluster file.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/himport_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int himport_main(const CommandLine<HimportOptions>& command_line);

}  // namespace htools
