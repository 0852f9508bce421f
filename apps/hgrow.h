// The tool hgrow: how far the workload of a cluster grows, what runs out first, and what to buy.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hgrow_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hgrow_main(const CommandLine<HgrowOptions>& command_line);

}  // namespace htools
