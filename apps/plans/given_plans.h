// Plans for placements that are given: in a file of the state that is wanted, or in a plan that exists.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Orders the moves to the placement of another state (--to).
Made ordered(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);
// Judges the steps of a plan (--check).
Made checked(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);
// Goes on with a plan: steps that are done are left out, and the others are ordered anew (--resume).
Made resumed(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
