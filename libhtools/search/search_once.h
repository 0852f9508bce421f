// Searches once for a plan of a node group: walks through placements, and orders the moves to the best of them.
// search.h describes the arguments, and repeats this where no limit ends a plan.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/plan_judge.h"
#include "search/search.h"

namespace htools {

// How an order of moves is looked for without limits: detours are free.
inline constexpr OrderingEffort kWithAnyDetours{.orders = 2, .detours = 100'000};

// Returns the best plan that was found. `is_rest` is true if the search goes on from the end of another plan: then it
// is shorter.
FoundPlan search_once(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                      const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                      const KnownPlans& known, bool is_rest);

}  // namespace htools
