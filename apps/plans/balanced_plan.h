// Plans that are searched for: the lowest score within limits.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"
#include "search/search.h"

namespace htools {

// Return what the options say about a search.
SearchLimits search_limits(const HplanOptions& options);
SearchEffort search_effort(const PlanChoice& choice);

// Searches for the plan with the lowest score, group by group, and makes its moves on the trial. Ctrl-C ends the
// search; then the best plan so far counts.
Made balanced(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
