#include "allocate/pair_evacuation.h"

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/literal.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "placement/pair_scores.h"
#include "rules/admission.h"
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

// Finds the best pair in two passes: the first finds the pairs that may be the best, by bounds of their scores; the
// second scores these exactly. With 1,000 nodes, this takes a hundredth of the time of bounding pair after pair.
class PairEvacuation {
 public:
  PairEvacuation(Trial& trial, InstanceIndex index, const std::vector<NodeIndex>& targets,
                 const std::vector<NodeIndex>& group, bool force)
      : trial_(trial),
        cluster_(trial.cluster()),
        index_(index),
        targets_(targets),
        group_(group),
        force_(force),
        primary_(cluster_.instance(index).primary),
        secondary_(cluster_.instance(index).secondary),
        scope_(cluster_, group) {
    scope_.assume_departure(cluster_.instance(index));
  }

  // Returns the best pair; nothing if no pair is possible.
  std::optional<Placement> best() {
    if (kLiteral) return plainly_best();
    const std::optional<std::vector<Placement>> near = near_pairs();
    if (!near) return best_of(all_pairs());
    if (const std::optional<Placement> best = best_of(*near)) return best;
    // No pair is possible, so this one is refused. As the last of all pairs, it gives the reason.
    const std::size_t last = targets_.size() - 1;
    return best_of({{targets_[last], targets_[last - 1]}});
  }

  const std::optional<StageRefusal>& last_refusal() const { return last_refusal_; }

 private:
  // A target that may become primary, given by its position, and its values with the instance but without the location
  // tags that it shares with the secondary.
  struct Host {
    std::size_t target;
    ComponentValues values;
  };

  // Makes the moves to each pair on the trial, and evaluates the score of the group there.
  std::optional<Placement> plainly_best() {
    NodeRefs nodes;
    for (NodeIndex n : group_) nodes.push_back(cluster_.node(n));
    std::optional<Placement> best;
    double best_score = 0.0;
    for (const Placement& place : all_pairs()) {
      const Attempt attempt(trial_);
      std::optional<StageRefusal> refusal = go_to(trial_, index_, place.primary, force_);
      if (!refusal) {
        const Move last = replace_secondary(place.secondary);
        refusal = take(trial_, index_, last, PairStage::ReplaceByFinalSecondary, force_);
      }
      if (refusal) last_refusal_ = refusal;
      const double pair_score = score(nodes);
      if (refusal || (best && best_score < pair_score)) continue;
      best = place;
      best_score = pair_score;
    }
    return best;
  }

  // Return all pairs; those in which a node of the instance is a target, too, as happens when it has nodes in two
  // groups and changes the group of one of them. (Such nodes change in a special way: see apply_move().)
  std::vector<Placement> all_pairs() const {
    return pairs_if([](NodeIndex, NodeIndex) { return true; });
  }
  std::vector<Placement> own_pairs() const {
    if (std::ranges::none_of(targets_, [&](NodeIndex n) { return is_own(n); })) return {};
    return pairs_if([&](NodeIndex p, NodeIndex s) { return is_own(p) || is_own(s); });
  }
  template <class Wanted>
  std::vector<Placement> pairs_if(Wanted wanted) const {
    std::vector<Placement> pairs;
    for (NodeIndex p : targets_) {
      for (NodeIndex s : targets_) {
        if (s != p && wanted(p, s)) pairs.push_back({p, s});
      }
    }
    return pairs;
  }

  bool is_own(NodeIndex node) const { return node == primary_ || node == secondary_; }

  // Returns pairs among which the best one is, if any is possible, by primary and then by secondary. Returns nothing if
  // PairScores does not describe the scores.
  std::optional<std::vector<Placement>> near_pairs() {
    const bool offline_target =
        std::any_of(targets_.begin(), targets_.end(), [&](NodeIndex n) { return cluster_.node(n).offline; });
    if (cluster_.instance(index_).facts->forthcoming || primary_ == secondary_ || offline_target) return std::nullopt;
    std::vector<Host> hosts;
    for (std::size_t p = 0; p < targets_.size(); ++p) {
      if (!is_own(targets_[p]) && !look_at(p, hosts)) return std::nullopt;
    }
    if (hosts.empty()) return own_pairs();
    const SecondarySides secondaries = secondary_sides();
    PairScores scores(statistics_without_instance(), secondaries);
    for (const Host& host : hosts) {
      scores.add_primary(host.target, node_values(cluster_.node(targets_[host.target])), host.values);
    }
    scores.set_bounds();
    const double uncertainty = scores.uncertainty();
    if (!scores.is_valid() || !std::isfinite(uncertainty)) return std::nullopt;
    return near_pairs(scores, 2 * uncertainty);
  }

  // Adds the target to the hosts if it may become primary. Returns false if the instance then leaves its nodes in
  // another state than if it goes to the first host.
  bool look_at(std::size_t target, std::vector<Host>& hosts) {
    const NodeIndex p = targets_[target];
    const Attempt attempt(trial_);
    if (go_to(trial_, index_, p, force_)) return true;
    // The last step takes the instance off the primary and back (move_application.h).
    const Instance& instance = cluster_.instance(index_);
    const Node& node = cluster_.node(p);
    const NodeBooks left = books_without_primary(node, instance);
    NodeBooks again = books_with_primary(node, left, instance);
    again.tag_conflicts = node.books.tag_conflicts;
    if (check_primary(node, left, again, instance, {.force = true})) return true;
    if (hosts.empty()) leave();
    const std::array<NodeChange, 2> departures = departed();
    if (!std::all_of(departures.begin(), departures.end(), [&](const auto& d) { return is_assumed(d); })) return false;
    secondary_rules_.force = force_ || cluster_.node(instance.secondary).offline;
    Host host{target, node_values(node, again)};
    host.values[Component::LocationScore] -= static_cast<double>(instance.location_score);
    host.values[Component::LocationExclusion] = scope_.collisions_with(p, instance) - scope_.scores().pair_collisions();
    hosts.push_back(host);
    return true;
  }

  // Returns the statistics of the group without the instance. Needs a host.
  Statistics statistics_without_instance() const {
    NodeRefs nodes;
    for (NodeIndex n : group_) nodes.push_back(cluster_.node(n));
    NodeValueTable table(nodes);
    for (const auto& [node, values] : assumed_) {
      const auto place = std::find(group_.begin(), group_.end(), node);
      if (place != group_.end()) table.set(static_cast<std::size_t>(place - group_.begin()), values);
    }
    table.set_pair_collisions(scope_.scores().pair_collisions());
    return Statistics::evaluate(table);
  }

  // Returns all targets as secondaries: as variant 0 of primaries that they reserve no memory for, or none that
  // matters, and as further variants of the others, one for each, which are listed in special_primaries_.
  SecondarySides secondary_sides() {
    SecondarySides sides;
    const Instance& instance = cluster_.instance(index_);
    special_primaries_.assign(targets_.size(), {});
    for (std::size_t s = 0; s < targets_.size(); ++s) {
      if (is_own(targets_[s])) continue;
      const Node& node = cluster_.node(targets_[s]);
      const ComponentValues before = node_values(node);
      const auto add = [&](NodeIndex primary) {
        const NodeBooks after = books_with_secondary(node, instance, primary);
        if (check_secondary(node, after, instance, secondary_rules_)) return;
        sides.add(s, special_primaries_[s].size(), before, node_values(node, after));
      };
      add(NodeIndex::none());
      const std::int64_t need = instance.facts->secondary_memory();
      const std::int64_t reserved = std::max(node.books.reserved_memory, need);
      for (const PeerMap::Entry& peer : node.peers.entries()) {
        if (peer.memory + need <= reserved || !is_target(peer.primary)) continue;
        special_primaries_[s].push_back(peer.primary);
        add(peer.primary);
      }
    }
    return sides;
  }

  std::vector<Placement> near_pairs(PairScores& scores, double margin) const {
    // A pair that may be the best, and its score.
    struct Near {
      double score;
      Placement place;
    };
    std::vector<Near> near;
    double best = std::numeric_limits<double>::infinity();
    const auto limit = [&] { return best + margin; };
    scores.for_each_up_to(limit, [&](const PairScores::PrimarySide& p, const PairScores::SecondarySide& s) {
      const Placement place{targets_[p.node_class], targets_[s.node_class]};
      if (place.primary == place.secondary || variant(s.node_class, place.primary) != s.variant) return;
      const TagSet& tags = cluster_.node(place.primary).facts->location_tags;
      const auto shared = static_cast<double>(tags.common_with(cluster_.node(place.secondary).facts->location_tags));
      const double score = scores.score(p, s) + kComponents[position(Component::LocationScore)].weight * shared;
      if (score > limit()) return;
      best = std::min(best, score);
      near.push_back({score, place});
    });
    std::vector<Placement> places = own_pairs();
    for (const Near& pair : near) {
      if (pair.score <= limit()) places.push_back(pair.place);
    }
    const auto order = [](const Placement& place) { return std::pair(place.primary, place.secondary); };
    std::sort(places.begin(), places.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    places.erase(
        std::unique(places.begin(), places.end(), [&](const auto& a, const auto& b) { return order(a) == order(b); }),
        places.end());
    return places;
  }

  bool is_target(NodeIndex node) const { return std::binary_search(targets_.begin(), targets_.end(), node); }

  // Returns the variant of the target, given by its position, as the secondary of this primary.
  std::size_t variant(std::size_t target, NodeIndex primary) const {
    const std::vector<NodeIndex>& special = special_primaries_[target];
    const auto place = std::find(special.begin(), special.end(), primary);
    return place == special.end() ? 0 : static_cast<std::size_t>(place - special.begin()) + 1;
  }

  // Scores the pairs exactly and returns the best one: of equal scores, the last. The pairs must be in order.
  std::optional<Placement> best_of(const std::vector<Placement>& pairs) {
    std::optional<Placement> best;
    double best_score = 0.0;
    for (auto first = pairs.begin(); first != pairs.end();) {
      const auto end = std::find_if(first, pairs.end(), [&](const auto& p) { return p.primary != first->primary; });
      for (const auto& [place, score] : exact_scores({first, end})) {
        if (best && best_score < score) continue;
        best = place;
        best_score = score;
      }
      first = end;
    }
    return best;
  }

  // Returns the exact scores of those of the pairs, which have a common primary, that are possible.
  std::vector<std::pair<Placement, double>> exact_scores(std::span<const Placement> pairs) {
    const NodeIndex p = pairs.front().primary;
    const Attempt attempt(trial_);
    if (const auto refusal = go_to(trial_, index_, p, force_)) {
      last_refusal_ = refusal;
      return {};
    }
    const MoveTrials trials(cluster_, index_, force_);
    std::vector<ScoredNodes::Candidate> candidates;
    std::vector<std::pair<Placement, double>> scored;
    for (const Placement& place : pairs) {
      const MoveTrials::Outcome outcome = trials.attempt(replace_secondary(place.secondary));
      if (const FailMode* fail = std::get_if<FailMode>(&outcome)) {
        last_refusal_ = {PairStage::ReplaceByFinalSecondary, *fail};
        continue;
      }
      candidates.push_back(candidate_of(p, std::get<MoveEffect>(outcome)));
      scored.emplace_back(place, 0.0);
    }
    std::vector<const ScoredNodes::Candidate*> all;
    for (const ScoredNodes::Candidate& candidate : candidates) all.push_back(&candidate);
    const std::vector<double> scores = scope_.scores().exact(all);
    for (std::size_t i = 0; i < scores.size(); ++i) scored[i].second = scores[i];
    return scored;
  }

  // Returns the candidate for the scores that has the node changes of a pair. The nodes that the instance leaves look
  // the same after most pairs, so they are changed once in the base of the scores and left out of these candidates.
  ScoredNodes::Candidate candidate_of(NodeIndex p, const MoveEffect& last_step) {
    if (assumed_.empty()) leave();
    boost::container::static_vector<NodeChange, MoveEffect::kMaxChanges> changes;
    const auto add = [&](const NodeChange& change) {
      if (!is_assumed(change)) changes.push_back(change);
    };
    for (const NodeChange& change : last_step.changes()) add(change);
    for (NodeIndex n : {primary_, secondary_}) {
      const auto is_n = [n](const NodeChange& change) { return change.node == n; };
      if (std::ranges::none_of(last_step.changes(), is_n)) add({n, cluster_.node(n).books});
    }
    return scope_.candidate({changes.data(), changes.size()}, p, cluster_.instance(index_));
  }

  // Returns the nodes that the instance leaves, with their books after the last step, from the state before it.
  std::array<NodeChange, 2> departed() const {
    const Instance& instance = cluster_.instance(index_);
    const NodeIndex last = instance.secondary, first = last == primary_ ? secondary_ : primary_;
    return {NodeChange{first, cluster_.node(first).books},
            NodeChange{last, books_without_secondary(cluster_.node(last), instance, instance.primary)}};
  }

  // Changes the nodes that the instance leaves in the base of the scores.
  void leave() {
    for (const NodeChange& change : departed()) {
      scope_.assume(change);
      assumed_.emplace_back(change.node, node_values(cluster_.node(change.node), change.books));
    }
  }

  bool is_assumed(const NodeChange& change) const {
    for (const auto& [node, values] : assumed_) {
      if (node == change.node) return values == node_values(cluster_.node(node), change.books);
    }
    return false;
  }

  Trial& trial_;
  const Cluster& cluster_;  // the cluster of the trial
  InstanceIndex index_;
  const std::vector<NodeIndex>& targets_;
  const std::vector<NodeIndex>& group_;
  bool force_;
  NodeIndex primary_;
  NodeIndex secondary_;
  ScoredNodes scope_;
  AdmissionRules secondary_rules_;                         // for the last step; set by look_at()
  std::vector<std::vector<NodeIndex>> special_primaries_;  // by target: see add_secondaries()
  // The values of the nodes that the instance has left in the base of the scores.
  std::vector<std::pair<NodeIndex, ComponentValues>> assumed_;
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
