#include "placement/pair_evacuation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "metric/node_values.h"
#include "placement/move_application.h"
#include "placement/saved_nodes.h"
#include "placement/scored_nodes.h"

namespace htools {

namespace {

using StageRefusal = std::pair<PairStage, FailMode>;

constexpr Move kFailover{MoveKind::Failover, NodeIndex::none()};
constexpr Move replace_secondary(NodeIndex target) { return {MoveKind::ReplaceSecondary, target}; }

// The instance and its nodes on the way to a pair of targets; puts them back at the end of its life.
class Journey {
 public:
  Journey(Cluster& cluster, InstanceIndex index, bool force)
      : cluster_(cluster), index_(index), force_(force), saved_(cluster), before_(cluster.instance(index)) {}
  ~Journey() {
    Instance& instance = cluster_.instance(index_);
    instance.primary = before_.primary;
    instance.secondary = before_.secondary;
    instance.location_score = before_.location_score;
  }
  Journey(const Journey&) = delete;
  Journey& operator=(const Journey&) = delete;

  std::optional<StageRefusal> take(const Move& move, PairStage stage) {
    const MoveTrials::Outcome outcome = MoveTrials(cluster_, index_, force_).attempt(move);
    if (const FailMode* fail = std::get_if<FailMode>(&outcome)) return StageRefusal{stage, *fail};
    for (const NodeChange& change : std::get<MoveEffect>(outcome).changes()) saved_.save(change.node);
    apply_move(cluster_, index_, move);
    return std::nullopt;
  }

  // Up to the primary, which is a target.
  std::optional<StageRefusal> go(NodeIndex primary) {
    if (cluster_.node(before_.primary).offline) {
      if (const auto refusal = take(kFailover, PairStage::FailoverToSecondary)) return refusal;
    }
    if (const auto refusal = take(replace_secondary(primary), PairStage::ReplaceBySoonPrimary)) return refusal;
    return take(kFailover, PairStage::FailoverToPrimary);
  }

 private:
  struct Before {
    explicit Before(const Instance& i) : primary(i.primary), secondary(i.secondary), location_score(i.location_score) {}
    NodeIndex primary, secondary;
    std::int64_t location_score;
  };

  Cluster& cluster_;
  InstanceIndex index_;
  bool force_;
  SavedNodes saved_;
  Before before_;
};

// Looks at the pairs twice: first for bounds of their scores, then for the exact scores of those that may be the best.
class PairEvacuation {
 public:
  PairEvacuation(Cluster& cluster, InstanceIndex index, const std::vector<NodeIndex>& targets,
                 const std::vector<NodeIndex>& group, bool force)
      : cluster_(cluster),
        index_(index),
        targets_(targets),
        force_(force),
        primary_(cluster.instance(index).primary),
        secondary_(cluster.instance(index).secondary),
        scope_(cluster, group) {
    scope_.assume_departure(cluster.instance(index));
  }

  // The best pair.
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
    double low;  // of the score; minus infinity if there is no bound
  };

  // The pairs with this primary.
  void look_at(NodeIndex p) {
    Journey journey(cluster_, index_, force_);
    if (const auto refusal = journey.go(p)) {
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
        const ReplacementScores::Bounds bounds = scope_.scores().bounds(candidate);
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

  // The nodes that the instance leaves look the same after all pairs, so they are part of what is compared with.
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

  // Of those open pairs, which have one primary, that may still be the best.
  std::vector<std::pair<Placement, double>> exact_scores(std::size_t first, std::size_t end) {
    const auto is_hopeless = [&](const Open& open) { return !unbounded_ && open.low > lowest_high_; };
    const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(begin, open_.begin() + static_cast<std::ptrdiff_t>(end), is_hopeless)) return {};
    const NodeIndex p = open_[first].place.primary;
    Journey journey(cluster_, index_, force_);
    journey.go(p);
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

  Cluster& cluster_;
  InstanceIndex index_;
  const std::vector<NodeIndex>& targets_;
  bool force_;
  NodeIndex primary_;
  NodeIndex secondary_;
  ScoredNodes scope_;
  bool left_ = false;  // the nodes that the instance leaves are part of the scope's scores
  std::vector<std::pair<NodeIndex, ComponentValues>> assumed_;
  std::vector<Open> open_;  // in the order of the pairs
  double lowest_high_ = std::numeric_limits<double>::infinity();
  bool unbounded_ = false;  // some scores have no bounds: all pairs count
  std::optional<StageRefusal> last_refusal_;
};

}  // namespace

std::variant<Evacuated, EvacuationFailure> move_to_pair(Cluster& cluster, InstanceIndex index,
                                                        const std::vector<NodeIndex>& targets,
                                                        const std::vector<NodeIndex>& group, bool force) {
  PairEvacuation evacuation(cluster, index, targets, group, force);
  const std::optional<Placement> best = evacuation.best();
  if (!best) {
    return EvacuationFailure{PairsRefused{
        evacuation.last_refusal(), refusals_of_moves(cluster, index, MoveKind::ReplaceSecondary, targets, force)}};
  }
  Evacuated evacuated{*best, {}};
  const auto step = [&](const Move& move) {
    apply_move(cluster, index, move);
    evacuated.steps.push_back({facts(move.kind).actions().front(), move.target});
  };
  if (cluster.node(cluster.instance(index).primary).offline) step(kFailover);
  step(replace_secondary(best->primary));
  step(kFailover);
  step(replace_secondary(best->secondary));
  return evacuated;
}

}  // namespace htools
