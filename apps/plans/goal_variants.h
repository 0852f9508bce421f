// Plans for one goal under tighter and tighter limits, to choose from.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Makes the plan of the goal, then plans with fewer moves, less copied disk or less time, and, if the goal can be
// followed by balancing, plans that go on to lower scores. All of them reach the goal as far as the first one does. If
// the user ends a search, it is the last one.
std::vector<Made> goal_variants(const Cluster& start, const HplanOptions& options,
                                const std::vector<GroupIndex>& groups, MakePlan make);

}  // namespace htools
