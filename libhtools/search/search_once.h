// Searches once for a plan of a node group: walks through placements, and orders the moves to the best of them.
// search.h describes the arguments, and repeats this where no limit ends a plan.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/placement_state.h"
#include "search/search.h"

namespace htools {

// Scores that differ by less are equal: the sums of the search differ from those of the metric in the last digits.
inline constexpr double kSameScore = 1e-9;
// How an order of moves is looked for without limits: detours are free.
inline constexpr OrderingEffort kWithAnyDetours{.orders = 2, .detours = 100'000};

// A plan that a search has found, and what counts when plans are compared.
struct FoundPlan {
  Ordering ordering;
  double excess = 0.0;        // by which the limits of the wishes are missed
  double score = 0.0;         // with the wished weights
  PlacementPrice price = {};  // of the steps
};

// Returns the best plan that was found. `is_rest` is true if the search goes on from the end of another plan: then it
// is shorter.
FoundPlan search_once(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                      const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                      const KnownPlans& known, bool is_rest);

}  // namespace htools
