// Finds the plan to the lowest score, by the cheapest way that is found.
#pragma once

#include <optional>

#include "search/search.h"

namespace htools {

// Searches for the plan of one node group with the lowest score within the limits, like search_plan(). In groups where
// that does not take long, it then searches for the cheapest plan to that score once more, from the start of all and as
// hard as for the score: what search_plan() itself spends on the price is a fourth of that, from where its plan ends.
Ordering search_lowest(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch = {});

// Returns a cheaper plan to the score of the plan, or a lower one, with no more moves. Returns nothing if none is
// found, or if the group is so large that the search would take long.
std::optional<Ordering> search_cheaper(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                                       const Ordering& plan);

}  // namespace htools
