// The planner hplan: orders, prices, schedules, checks and resumes plans.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hplan_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hplan_main(const CommandLine<HplanOptions>& command_line);

}  // namespace htools
