// Chooses plans that are worth their moves: between doing nothing and the lowest score, the one after which further
// moves bring little for what they are.
//
// Moves are measured as a share of half of the instances, or ten: to move every second one is worth as much as the
// whole gain, which is what the lowest score found is below the present one. A plan is worth its moves as long as so
// many more moves as are one per cent of that bring at least `worth` per cent of the gain. Where the urgent steps bring
// more than half of the gain, nothing beside them would seem worth a move; so there, the gain counts from where they
// lead. (With the moves of the lowest plan as the measure, a plan of few moves of equal use would be cut in its midst.)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/search.h"

namespace htools {

// Returns the number of moves that are worth the whole gain: half of the instances, but all moves of the lowest plan,
// or ten of them, if that is more. So in a small cluster, moves of equal use are all made, or none is.
double worthwhile_moves(const GroupMembers& members, const Ordering& lowest);

// Searches for plans of one node group with fewer and fewer moves than the lowest one and than are worth the whole
// gain, within the limits, with the same shares as the rows of search_tradeoff(). Returns them after the lowest one.
std::vector<Ordering> search_front(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                   const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                                   const Ordering& lowest);

// A place where a plan may end.
struct PlanEnd {
  std::size_t plan = 0;   // its position
  std::size_t steps = 0;  // that are made
  double score = 0.0;     // after them
};

// What plans are measured by.
struct WorthScale {
  double score_before = 0.0;
  double moves = 1.0;                          // that are worth the whole gain
  double worth = 1.0;                          // 0 or more; 0 is the lowest score
  std::optional<double> score_when_safe = {};  // after the urgent steps, if there are any
};

// Returns all places where the plans may end, doing nothing included, in the order of what they are worth: the best
// first. Of equal ones, the one with the lower score comes first.
std::vector<PlanEnd> ends_by_worth(std::span<const Ordering> plans, const WorthScale& scale);

// Returns the first steps of a plan.
Ordering beginning_of(Ordering plan, std::size_t steps);

}  // namespace htools
