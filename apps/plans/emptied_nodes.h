// Plans that empty nodes: those that the user names, or those that are cheapest to empty.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Makes the moves that leave nothing on the named nodes, which count as offline, and lead to the lowest score
// (--empty).
Made emptied(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);
// Does the same for nodes of its own choice (--retire).
Made retired(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
