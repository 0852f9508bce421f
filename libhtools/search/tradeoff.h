// Finds plans between doing nothing and the lowest score: each of them has a good score for its moves, or for the disk
// that it copies.
#pragma once

#include <cstddef>
#include <vector>

#include "search/search.h"

namespace htools {

// The number of plans that search_tradeoff() returns.
inline constexpr std::size_t kTradeoffPlans = 14;

// Searches for plans of one node group within the limits. The first one has no other limits; the others have lower and
// lower limits on moves, then on copied disk, as shares of what the first one needs. Then each search is repeated with
// the ends of all these plans as starts; with less effort in large groups. If the first plan copies nothing, those with
// limits on copied disk are empty.
std::vector<Ordering> search_tradeoff(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                      const SearchLimits& limits, const SearchEffort& effort,
                                      const SearchWatch& watch = {});

}  // namespace htools
