// The best move of balancing, found without looking at most of the others.
//
// For each instance the search remembers how much its best move could gain, as a lower bound of the change of the
// score. A step changes three nodes. Moves of other instances to other nodes change their worth only a little, and by
// no more than a known drift; moves to the changed nodes are bounded anew. The instances are then looked at in the
// order of what they promise, until none of the others can beat the best move found. Moves whose bounds leave it open
// which one is best are scored exactly as specified, and the first of the best ones is taken.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "balance/location_terms.h"
#include "balance/move_bounds.h"
#include "balance/move_generation.h"
#include "balance/plain_move_search.h"
#include "metric/replacement.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {

// Finds the best move, step after step.
class MoveSearch {
 public:
  // Both must outlive the search. The trial changes by apply() only.
  MoveSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules);

  // The move with the lowest score, if that is below `score`, the score as it is. Among equal ones that of the first
  // instance, and of its moves the first (see generate_moves).
  std::optional<ScoredMove> best(double score);
  void apply(const ScoredMove& move);

 private:
  struct Contender {
    double low;
    InstanceIndex instance;
    std::size_t order;  // of the move among those of the instance
    Move move;
    ReplacementScores::Candidate candidate;
  };

  void look_at(std::size_t mover, double score);
  bool has_earlier_twin(InstanceIndex instance) const;
  void look_at_one_by_one(InstanceIndex instance);
  // Bounds of the move, as a contender if it is allowed and can be the best. Returns the lower bound of its score, or
  // infinity if it is refused.
  double consider(const MoveTrials& trials, InstanceIndex instance, const Move& move, std::size_t order);
  double consider(const MoveTrials& trials, InstanceIndex instance, MoveKind kind, std::size_t target,
                  const MoveKinds& kinds);
  std::optional<ScoredMove> decide(double score);
  double collisions_after(InstanceIndex instance, const Move& move) const;
  std::size_t online_class(NodeIndex node) const;
  void forget_collisions(InstanceIndex moved);

  Trial& trial_;
  const Cluster& cluster_;  // that of the trial
  const GroupMembers& members_;
  MoveRules rules_;
  std::vector<std::size_t> position_of_;  // by node: its position in the group
  ReplacementScores scores_;
  LocationTerms locations_;
  std::vector<InstanceIndex> one_by_one_;  // instances that the bounds do not describe
  MoveBounds bounds_;
  bool plain_;                   // compare all moves one by one
  std::vector<double> promise_;  // by mover: lower bound of what its moves change the score by
  double limit_ = 0.0;           // scores above cannot be the best
  std::vector<Contender> contenders_;
};

}  // namespace htools
