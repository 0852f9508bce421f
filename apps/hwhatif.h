// The tool hwhatif: a cluster as it would be after changes.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hwhatif_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hwhatif_main(const CommandLine<HwhatifOptions>& command_line);

}  // namespace htools
