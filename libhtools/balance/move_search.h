// Finds the best move of balancing without evaluating most of the others.
//
// For each instance the search remembers a lower bound of the change of the score that the best move of the instance
// would bring. A step changes at most three nodes. For the moves of other instances between other nodes, this lowers
// the bound by no more than a known amount, which is called the drift of the instance; the search subtracts it from the
// bound. Bounds of the moves to the changed nodes are computed again. The search takes the instances in the order of
// their bounds, lowest first, until no bound left can beat the best move found. Moves that may still be the best are
// then scored exactly as specified, and the first of those with the lowest score is the answer.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "balance/location_terms.h"
#include "balance/move_bounds.h"
#include "balance/move_generation.h"
#include "balance/plain_move_search.h"
#include "metric/changed_scores.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {

// The search for the best move of a group, for one step of balancing after the other.
class MoveSearch {
 public:
  // `trial` and `members` must outlive the search. The trial must not change except by apply().
  MoveSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules);

  // Returns the move with the lowest score; nothing if that is not below `score`, which must be the present score.
  // Among equal scores, the move of the first instance counts, and of its moves the first (generate_moves()).
  std::optional<ScoredMove> best(double score);
  // Makes the move on the trial and updates what the search remembers.
  void apply(const ScoredMove& move);

 private:
  // A move that may be the best.
  struct Contender {
    double low;  // lower bound of its score
    InstanceIndex instance;
    std::size_t order;  // position of the move among those of the instance
    Move move;
    ChangedScores::Candidate candidate;
  };

  // Computes the lower bound of the mover and considers those of its moves that may be the best.
  void look_at(std::size_t mover, double score);
  // True if an instance with a lower index has the same moves with the same scores; then this one is never chosen.
  bool has_earlier_twin(InstanceIndex instance) const;
  // Considers all moves of an instance that the bounds do not describe.
  void look_at_one_by_one(InstanceIndex instance);
  // Checks the move and bounds its score; makes it a contender if it is allowed and may be the best. Returns the lower
  // bound of its score, or infinity if it is refused. `target` is a position in the targets of the bounds.
  double consider(const MoveTrials& trials, InstanceIndex instance, const Move& move, std::size_t order);
  double consider(const MoveTrials& trials, InstanceIndex instance, MoveKind kind, std::size_t target,
                  const MoveKinds& kinds);
  // Scores the contenders exactly and returns the best move; nothing if its score is not below `score`.
  std::optional<ScoredMove> decide(double score);
  // Returns the collisions of pairs of location and exclusion tags on the group after the move.
  double collisions_after(InstanceIndex instance, const Move& move) const;
  // Returns the class of the node in locations_, or kNoClass if it is offline.
  std::size_t online_class(NodeIndex node) const;
  // Drops the lower bounds of instances that share an exclusion tag with the moved one.
  void forget_collisions(InstanceIndex moved);

  Trial& trial_;
  const Cluster& cluster_;  // the cluster of the trial
  const GroupMembers& members_;
  MoveRules rules_;
  std::vector<std::size_t> position_of_;  // by node: its position in the group
  ChangedScores scores_;
  LocationTerms locations_;
  std::vector<InstanceIndex> one_by_one_;  // instances that the bounds do not describe
  MoveBounds bounds_;
  bool plain_;                                 // true if plain_move_search() must be used
  std::vector<double> lower_bound_of_change_;  // by mover: of the change of the score by any of its moves
  double limit_ = 0.0;                         // a move with a score above this cannot be the best
  std::vector<Contender> contenders_;
};

}  // namespace htools
