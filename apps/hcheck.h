// The health check hcheck: shows whether a cluster is healthy, and whether rebalancing would make it so.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hcheck_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hcheck_main(const CommandLine<HcheckOptions>& command_line);

}  // namespace htools
