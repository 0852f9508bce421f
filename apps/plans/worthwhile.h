// Plans for the balance without further limits: those that are worth their moves, or those to the lowest score.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Makes the moves of the plan that is worth them (--balance, --worth); none in a group of which the moves fix nothing
// and whose grade is high, unless a limit or --worth asks for them. With limits and without --worth, or with
// --unlimited, it is the plan with the lowest score. Throws InputError if --worth or --unlimited contradict other
// options.
Made worthwhile(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
