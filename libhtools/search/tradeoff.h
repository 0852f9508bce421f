// Finds plans between doing nothing and the lowest score: each of them has a good score for its moves, or for the disk
// that it copies.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "search/search.h"

namespace htools {

// The limits of the plans that search_tradeoff() returns after the first one, as shares of what that one needs.
inline constexpr std::array kShareOfMoves{0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.03};
inline constexpr std::array kShareOfCopies{0.6, 0.4, 0.25, 0.12, 0.05, 0.0};
inline constexpr std::size_t kTradeoffPlans = 1 + kShareOfMoves.size() + kShareOfCopies.size();

// Searches for plans of one node group within the limits. The first one has no other limits; the others have lower and
// lower limits on moves, at least one, then on copied disk. Then each search is repeated with the ends of all these
// plans as starts; with less effort in large groups. If the first plan copies nothing, those with limits on copied disk
// are empty.
std::vector<Ordering> search_tradeoff(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                      const SearchLimits& limits, const SearchEffort& effort,
                                      const SearchWatch& watch = {});

}  // namespace htools
