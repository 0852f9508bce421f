// Runs the scenarios of a study, each in a process of its own.
#pragma once

#include "apps/options/hsweep_options.h"

namespace htools {

// Runs the scenarios of the file ("-": standard input) that fall to the shard of the options, and writes a record for
// each, in their order. Throws InputError, FileError and OutputError. A scenario that fails is a record, too.
void run_scenarios(const HsweepOptions& options, const std::string& path);

}  // namespace htools
