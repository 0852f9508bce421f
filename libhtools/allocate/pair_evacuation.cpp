#include "allocate/pair_evacuation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "metric/node_values.h"
#include "rules/move_application.h"
#include "trial/scored_nodes.h"

namespace htools {

namespace {

using StageRefusal = std::pair<PairStage, FailMode>;

constexpr Move kFailover{MoveKind::Failover, NodeIndex::none()};
constexpr Move replace_secondary(NodeIndex target) { return {MoveKind::ReplaceSecondary, target}; }

// Makes the next move on the way to a pair of targets if it is allowed; otherwise returns the refusal.
std::optional<StageRefusal> take(Trial& trial, InstanceIndex index, const Move& move, PairStage stage, bool force) {
  const MoveTrials::Outcome outcome = MoveTrials(trial.cluster(), index, force).attempt(move);
  if (const FailMode* fail = std::get_if<FailMode>(&outcome)) return StageRefusal{stage, *fail};
  trial.apply(index, move);
  return std::nullopt;
}

// Makes the moves up to the failover to the new primary. Returns the first refusal, if any; the moves before it stay
// made.
std::optional<StageRefusal> go_to(Trial& trial, InstanceIndex index, NodeIndex primary, bool force) {
  if (trial.cluster().node(trial.cluster().instance(index).primary).offline) {
    if (const auto refusal = take(trial, index, kFailover, PairStage::FailoverToSecondary, force)) return refusal;
  }
  if (const auto refusal = take(trial, index, replace_secondary(primary), PairStage::ReplaceBySoonPrimary, force)) {
    return refusal;
  }
  return take(trial, index, kFailover, PairStage::FailoverToPrimary, force);
}

// Finds the best pair in two passes: the first computes bounds of the scores of all pairs, the second exact scores of
// those pairs that may be the best.
class PairEvacuation {
 public:
  PairEvacuation(Trial& trial, InstanceIndex index, const std::vector<NodeIndex>& targets,
                 const std::vector<NodeIndex>& group, bool force)
      : trial_(trial),
        cluster_(trial.cluster()),
        index_(index),
        targets_(targets),
        force_(force),
        primary_(cluster_.instance(index).primary),
        secondary_(cluster_.instance(index).secondary),
        scope_(cluster_, group) {
    scope_.assume_departure(cluster_.instance(index));
  }

  // Returns the best pair; nothing if no pair is possible.
  std::optional<Placement> best() {
    for (NodeIndex p : targets_) look_at(p);
    std::optional<Placement> best;
    double best_score = 0.0;
    for (std::size_t first = 0; first < open_.size();) {
      std::size_t end = first;
      while (end < open_.size() && open_[end].place.primary == open_[first].place.primary) ++end;
      for (const auto& [place, score] : exact_scores(first, end)) {
        if (best && best_score < score) continue;
        best = place;
        best_score = score;
      }
      first = end;
    }
    return best;
  }

  const std::optional<StageRefusal>& last_refusal() const { return last_refusal_; }

 private:
  struct Open {
    Placement place;
    double low;  // lower bound of the score; minus infinity if there is no bound
  };

  // Bounds the scores of the pairs with this primary, and keeps those that may be the best in `open_`.
  void look_at(NodeIndex p) {
    const Attempt attempt(trial_);
    if (const auto refusal = go_to(trial_, index_, p, force_)) {
      last_refusal_ = refusal;
      return;
    }
    const MoveTrials trials(cluster_, index_, force_);
    for (NodeIndex s : targets_) {
      if (s == p) continue;
      const MoveTrials::Outcome outcome = trials.attempt(replace_secondary(s));
      if (const FailMode* fail = std::get_if<FailMode>(&outcome)) {
        last_refusal_ = {PairStage::ReplaceByFinalSecondary, *fail};
        continue;
      }
      const ScoredNodes::Candidate candidate = candidate_of(p, std::get<MoveEffect>(outcome));
      double low = -std::numeric_limits<double>::infinity();
      if (scope_.scores().is_finite(candidate)) {
        const ChangedScores::Bounds bounds = scope_.scores().bounds(candidate);
        if (std::isfinite(bounds.low) && std::isfinite(bounds.high)) {
          low = bounds.low;
          lowest_high_ = std::min(lowest_high_, bounds.high);
        } else {
          unbounded_ = true;
        }
      } else {
        unbounded_ = true;
      }
      if (low <= lowest_high_ || unbounded_) open_.push_back({{p, s}, low});
    }
  }

  // Returns the candidate for the scores that has the node changes of a pair. The nodes that the instance leaves look
  // the same after all pairs, so they are changed once in the base of the scores and left out of the candidates.
  ScoredNodes::Candidate candidate_of(NodeIndex p, const MoveEffect& last_step) {
    if (!left_) {
      left_ = true;
      for (const NodeChange& change : last_step.changes()) {
        if (change.node == primary_ || change.node == secondary_) assume(change);
      }
      for (NodeIndex n : {primary_, secondary_}) {
        const auto changed = [n](const NodeChange& change) { return change.node == n; };
        const auto changes = last_step.changes();
        if (std::none_of(changes.begin(), changes.end(), changed)) assume({n, cluster_.node(n).books});
      }
    }
    std::array<NodeChange, 3> changes;
    std::size_t count = 0;
    for (const NodeChange& change : last_step.changes()) {
      if (!is_assumed(change)) changes[count++] = change;
    }
    return scope_.candidate({changes.data(), count}, p, cluster_.instance(index_));
  }

  void assume(const NodeChange& change) {
    scope_.assume(change);
    assumed_.emplace_back(change.node, node_values(cluster_.node(change.node), change.books));
  }

  bool is_assumed(const NodeChange& change) const {
    for (const auto& [node, values] : assumed_) {
      if (node == change.node) return values == node_values(cluster_.node(node), change.books);
    }
    return false;
  }

  // Returns the exact scores of those of the open pairs [first, end), which have a common primary, that may still be
  // the best.
  std::vector<std::pair<Placement, double>> exact_scores(std::size_t first, std::size_t end) {
    const auto is_hopeless = [&](const Open& open) { return !unbounded_ && open.low > lowest_high_; };
    const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(begin, open_.begin() + static_cast<std::ptrdiff_t>(end), is_hopeless)) return {};
    const NodeIndex p = open_[first].place.primary;
    const Attempt attempt(trial_);
    go_to(trial_, index_, p, force_);
    const MoveTrials trials(cluster_, index_, force_);
    std::vector<ScoredNodes::Candidate> candidates;
    std::vector<std::pair<Placement, double>> scored;
    for (std::size_t o = first; o < end; ++o) {
      if (is_hopeless(open_[o])) continue;
      const MoveTrials::Outcome outcome = trials.attempt(replace_secondary(open_[o].place.secondary));
      candidates.push_back(candidate_of(p, std::get<MoveEffect>(outcome)));
      scored.emplace_back(open_[o].place, 0.0);
    }
    std::vector<const ScoredNodes::Candidate*> all;
    for (const ScoredNodes::Candidate& candidate : candidates) all.push_back(&candidate);
    const std::vector<double> scores = scope_.scores().exact(all);
    for (std::size_t i = 0; i < scores.size(); ++i) scored[i].second = scores[i];
    return scored;
  }

  Trial& trial_;
  const Cluster& cluster_;  // the cluster of the trial
  InstanceIndex index_;
  const std::vector<NodeIndex>& targets_;
  bool force_;
  NodeIndex primary_;
  NodeIndex secondary_;
  ScoredNodes scope_;
  bool left_ = false;  // true once the base of the scores contains the nodes that the instance leaves
  std::vector<std::pair<NodeIndex, ComponentValues>> assumed_;
  std::vector<Open> open_;  // pairs that may be the best, by primary and then by secondary
  double lowest_high_ = std::numeric_limits<double>::infinity();
  bool unbounded_ = false;  // true if some score has no bounds; from then on, no pair is ruled out
  std::optional<StageRefusal> last_refusal_;
};

}  // namespace

std::variant<Evacuated, EvacuationFailure> move_to_pair(Trial& trial, InstanceIndex index,
                                                        const std::vector<NodeIndex>& targets,
                                                        const std::vector<NodeIndex>& group, bool force) {
  const Cluster& cluster = trial.cluster();
  PairEvacuation evacuation(trial, index, targets, group, force);
  const std::optional<Placement> best = evacuation.best();
  if (!best) {
    return EvacuationFailure{PairsRefused{
        evacuation.last_refusal(), refusals_of_moves(cluster, index, MoveKind::ReplaceSecondary, targets, force)}};
  }
  Evacuated evacuated{*best, {}};
  const auto step = [&](const Move& move) {
    trial.apply(index, move);
    evacuated.steps.push_back({facts(move.kind).actions().front(), move.target});
  };
  if (cluster.node(cluster.instance(index).primary).offline) step(kFailover);
  step(replace_secondary(best->primary));
  step(kFailover);
  step(replace_secondary(best->secondary));
  return evacuated;
}

}  // namespace htools
