// Vacates nodes as the rules are written, for programs without shortcuts (base/literal.h).
#include <utility>
#include <variant>
#include <vector>

#include "cluster/bookkeeping.h"
#include "metric/ranking.h"
#include "metric/statistics.h"
#include "rules/admission.h"
#include "rules/rule_check.h"
#include "survival/capacity_check.h"

namespace htools {

std::optional<InstanceIndex> CapacityCheck::plainly_left_behind(NodeIndex n) {
  const Occupants occupants(cluster_, n);
  std::vector<NodeIndex> targets;
  NodeRefs group;
  for (NodeIndex t : nodes_) {
    if (cluster_.node(t).facts->group != cluster_.node(n).facts->group) continue;
    group.push_back(cluster_.node(t));
    if (t != n && !cluster_.node(t).cordoned) targets.push_back(t);
  }
  const Attempt attempt(trial_);
  // What rules want together leaves the node one after the other, and is where the others are that have left.
  if (occupants.are_ruled) trial_.change(n).offline = true;
  for (InstanceIndex i : occupants.drbd) {
    constexpr htools::Move kFailover{MoveKind::Failover, NodeIndex::none()};
    const Instance& instance = cluster_.instance(i);
    if (is_incomplete(instance)) refuse(instance);
    if (instance.secondary.is_none()) return i;
    if (std::holds_alternative<FailMode>(MoveTrials(cluster_, i, true).attempt(kFailover))) return i;
    trial_.apply(i, kFailover);
  }
  for (InstanceIndex i : occupants.movable) {
    if (!move_plainly(i, targets, group) && !is_bound(cluster_, i)) return i;
  }
  for (InstanceIndex i : occupants.fixed) {
    if (!recreate_plainly(i, targets) && !is_bound(cluster_, i)) return i;
  }
  return std::nullopt;
}

bool CapacityCheck::move_plainly(InstanceIndex i, const std::vector<NodeIndex>& targets, const NodeRefs& group) {
  std::optional<std::pair<double, NodeIndex>> best;
  for (NodeIndex t : targets) {
    const htools::Move move{MoveKind::FailoverToAny, t};
    if (std::holds_alternative<FailMode>(MoveTrials(cluster_, i, true).attempt(move))) continue;
    const Attempt attempt(trial_);
    trial_.apply(i, move);
    const double moved_score = score(group);
    if (!best || !(best->first < moved_score)) best = {moved_score, t};
  }
  if (best) trial_.apply(i, {MoveKind::FailoverToAny, best->second});
  return best.has_value();
}

bool CapacityCheck::recreate_plainly(InstanceIndex i, const std::vector<NodeIndex>& targets) {
  const Instance& instance = cluster_.instance(i);
  NodeRefs all;
  for (NodeIndex n : nodes_) all.push_back(cluster_.node(n));
  std::vector<std::pair<double, std::size_t>> places;  // scores and nodes, the last node first
  for (auto t = targets.rbegin(); t != targets.rend(); ++t) {
    const Node& target = cluster_.node(*t);
    if (check_policy(instance, cluster_.group(target.facts->group).policy, target.facts->exclusive_storage)) continue;
    if (check_primary(target, books_with_primary(target, instance), instance, {.force = true})) continue;
    if (rule_against(cluster_, i, {instance.primary, NodeIndex::none()}, {*t, NodeIndex::none()})) continue;
    const Attempt attempt(trial_);
    add_primary(trial_.change(*t), i, instance);
    places.emplace_back(score(all), t->position());
  }
  sort_by_score(places);
  if (!places.empty()) add_primary(trial_.change(NodeIndex(places.front().second)), i, instance);
  return !places.empty();
}

}  // namespace htools
