// Finds the best move of each step, first among the instances on offline nodes.
#pragma once

#include <cstddef>
#include <optional>

#include "balance/move_search.h"
#include "balance/plain_move_search.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "trial/trial.h"

namespace htools {

// The search for the best move of a group, for one step of balancing after the other.
//
// An instance on an offline node costs 4 or 20 points of the score, and moves of other instances do not change the sum
// of these costs. The other components are not negative. So if the best move of the instances on offline nodes leads to
// a score below the present sum, it is the best of all, and the other instances need not be looked at. When this ends,
// a search among all instances takes over.
class StepSearch {
 public:
  // `trial` and `members` must outlive the search. The trial must not change except by apply().
  StepSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules);

  // Do what MoveSearch::best() and MoveSearch::apply() do.
  std::optional<ScoredMove> best(double score);
  void apply(const ScoredMove& move);

 private:
  // Starts a search for the present state.
  void start();
  // Returns the weighted sum of the components that instances on offline nodes cause.
  double cost_of_offline_nodes() const;

  Trial& trial_;
  const GroupMembers& members_;
  MoveRules rules_;
  bool all_ = true;                  // true if the search is among all instances
  std::size_t steps_of_search_ = 0;  // number of steps that the search has made
  std::optional<MoveSearch> search_;
};

}  // namespace htools
