// The collector hscan: prints one line and writes one file for each of several clusters.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hscan_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws FileError and OutputError.
int hscan_main(const CommandLine<HscanOptions>& command_line);

}  // namespace htools
