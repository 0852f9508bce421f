// Finds the best move of balancing without evaluating most of the others.
//
// For each instance and kind of move, the search remembers a lower bound of the change of the score that the best such
// move would bring. A step changes at most three nodes. For the moves of other instances between other nodes, this
// lowers the bound by no more than a known amount, which is called the drift; the search subtracts it from the bound.
// Bounds of the moves to the changed nodes are computed again. The search takes the instances in the order of their
// bounds, lowest first, until no bound left can beat the best move found. Moves that may still be the best are then
// scored exactly as specified, and the first of those with the lowest score is the answer.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "balance/location_terms.h"
#include "balance/move_bounds.h"
#include "balance/move_generation.h"
#include "balance/plain_move_search.h"
#include "metric/changed_scores.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {

// The instances whose moves a search compares: all, or those with a primary or secondary that is offline.
enum class Movers { All, OnOfflineNodes };

// The search for the best move of a group, for one step of balancing after the other.
class MoveSearch {
 public:
  // `trial` and `members` must outlive the search. The trial must not change except by apply().
  MoveSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules, Movers movers = Movers::All);

  // True if the search compares all moves, as the rules are written, whatever the movers are.
  bool is_plain() const { return plain_; }
  // Returns the number of instances whose moves are bounded.
  std::size_t mover_count() const { return bounds_.movers().size(); }
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

  double& lower_bound(MoveKind kind, std::size_t mover) { return lower_bounds_[MoveBounds::number(kind)][mover]; }
  // Returns the lower bound of all moves of the mover.
  double lowest_bound(std::size_t mover) const;
  // Returns that of each mover.
  MoveBounds::Array lowest_bounds() const;
  // Drops the lower bounds of the mover.
  void forget(std::size_t mover);
  // The next four functions are about common targets, which are targets that are good for many movers. The bounds of
  // moves to them are computed anew in each step, for all movers at a time, and lower_bounds_ leaves them out.
  // Instances on offline nodes all want the same few targets, so each step that fills one would make the remembered
  // bounds of most movers useless. With 1,000 nodes, 600 of them offline, this halves the time of the search.

  // Computes the bounds of the moves to common targets. If movers have been bounded for all targets too often, drops
  // the common targets, and the next mover chooses others.
  void renew_common_targets();
  // Chooses the common targets: those that are best for one mover by moves of these kinds, given the bounds that
  // to_targets() has returned last, which must be of all targets.
  void choose_common_targets(const std::vector<MoveKind>& kinds);
  // Computes common_bounds_ and lowest_common_.
  void bound_common_targets();
  // Considers those moves of the mover to common targets that may be the best.
  void look_at_common_targets(std::size_t mover, double score);

  // Computes those lower bounds of the mover that matter and considers those of its moves that may be the best.
  // `has_best_cases` is true if the lower bounds are best_case() of the present state.
  void look_at(std::size_t mover, double score, bool has_best_cases);
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
  // Lowers the remembered bounds of this kind to those of the moves to these targets.
  void remember_bounds(std::span<const NodeIndex> targets, MoveKind kind);
  // The same for targets that have changed; but most movers are bounded only for targets that have no substitutes.
  void remember_changed(const std::vector<NodeIndex>& changed, MoveKind kind);
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
  bool plain_;  // true if plain_move_search() must be used
  // By kind of move and mover: a lower bound of the change of the score by any such move.
  std::array<std::vector<double>, MoveBounds::kKindCount> lower_bounds_;
  bool use_common_targets_;
  bool choose_common_targets_;                    // true if the next mover that is looked at chooses them
  std::vector<std::size_t> common_targets_ = {};  // positions in the targets of the bounds
  std::vector<MoveBounds::Array> common_bounds_;  // by common target and mover: the lowest bound over the kinds
  MoveBounds::Array lowest_common_;               // by mover: the lowest of common_bounds_
  std::size_t bounded_since_choice_ = 0;          // number of times that a mover was bounded for all targets
  double limit_ = 0.0;                            // a move with a score above this cannot be the best
  std::vector<Contender> contenders_;
};

}  // namespace htools
