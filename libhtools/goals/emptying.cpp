#include "goals/emptying.h"

#include <algorithm>
#include <set>
#include <utility>

#include "balance/balancer.h"
#include "balance/move_generation.h"
#include "cluster/members.h"
#include "cluster/tags.h"
#include "plan/departures.h"
#include "plan/paths.h"
#include "plan/small_groups.h"
#include "rules/refusal.h"

namespace htools {
namespace {

bool is_on(const Placement& placement, std::span<const NodeIndex> nodes) {
  return std::ranges::any_of(nodes_of(placement),
                             [&](NodeIndex n) { return std::ranges::find(nodes, n) != nodes.end(); });
}

// Returns the nodes to which the instance could move, whatever the rules say.
std::vector<NodeIndex> targets_of(const Cluster& cluster, const Instance& instance) {
  std::vector<NodeIndex> targets;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const bool is_there = NodeIndex(n) == instance.primary || NodeIndex(n) == instance.secondary;
    const bool is_same_group = cluster.nodes[n].facts->group == cluster.node(instance.primary).facts->group;
    if (receives(cluster.nodes[n]) && is_same_group && !is_there) targets.emplace_back(n);
  }
  return targets;
}

// Returns the kinds of moves that bring the instance away from a node, as its primary node if it is that.
std::vector<MoveKind> leaving_kinds(const Cluster& cluster, const Instance& instance, bool is_primary,
                                    const MoveRules& rules) {
  if (!is_candidate(cluster, instance, rules)) return {};
  const MoveKinds possible = move_kinds(cluster, instance, rules);
  std::vector<MoveKind> kinds(possible.per_target.begin(), possible.per_target.end());
  if (is_primary) std::erase(kinds, MoveKind::ReplaceSecondary);
  if (is_primary && possible.failover) kinds.push_back(MoveKind::Failover);
  return kinds;
}

// Returns why there are no such kinds of moves.
std::optional<Immovable> reason_to_stay(const Cluster& cluster, const Instance& instance, bool is_primary,
                                        const MoveRules& rules) {
  if (const auto reason = immovable_reason(cluster, instance, rules)) return reason;
  return forbidding_option(
      rules, [&](const MoveRules& r) { return !leaving_kinds(cluster, instance, is_primary, r).empty(); });
}

// Returns the refusal of a move of the instance that lacks least; nothing if a move is allowed.
std::optional<Refusal> nearest_move(const Cluster& cluster, InstanceIndex i, const std::vector<MoveKind>& kinds,
                                    const std::vector<NodeIndex>& targets, const MoveRules& rules) {
  std::vector<Refusal> refusals;
  for (const MoveKind kind : kinds) {
    const std::vector<NodeIndex> to = kind == MoveKind::Failover ? std::vector{NodeIndex::none()} : targets;
    const std::vector<Refusal> more = refusals_of_moves(cluster, i, kind, to, rules.force);
    if (more.size() < to.size()) return std::nullopt;
    refusals.insert(refusals.end(), more.begin(), more.end());
  }
  return nearest_refusal(refusals);
}

// Returns the balancer's moves of the instances on the nodes, which count as offline, and those that it leaves out.
Way balanced_emptying(Trial& trial, const GroupMembers& members, std::span<const NodeIndex> nodes,
                      const BalanceOptions& options) {
  const Attempt attempt(trial);
  Way way;
  way.steps = balance(trial, members, options).steps;
  for (const OrderedStep& s : departures(trial, members, nodes, options.moves).steps) way.steps.push_back(s.step);
  for (const BalanceStep& step : way.steps) {
    if (is_on(step.before, nodes)) way.price += price_of(trial.cluster(), step);
  }
  return way;
}

// True if none of the members is on one of the nodes in the end.
bool leads_off(Trial& trial, const Way& way, const GroupMembers& members, std::span<const NodeIndex> nodes) {
  const Attempt attempt(trial);
  for (const BalanceStep& step : way.steps) trial.apply(step.instance, step.move);
  return std::ranges::none_of(members.instances,
                              [&](InstanceIndex i) { return is_on(placement_of(trial.cluster().instance(i)), nodes); });
}

}  // namespace

void switch_off(Trial& trial, std::span<const NodeIndex> nodes) {
  for (const NodeIndex n : nodes) {
    Node& node = trial.change(n);
    node.is_emptied = node.is_emptied || !node.offline;
    node.offline = true;
  }
}

void mark_maintenance(Cluster& cluster) {
  for (Node& node : cluster.nodes) {
    const TagList& tags = node.facts->tags;
    const bool is_up = std::any_of(tags.begin(), tags.end(), [](const TagView tag) { return tag == kMaintenanceTag; });
    node.is_emptied = node.is_emptied || (node.offline && is_up);
  }
}

std::vector<Staying> staying_on(const Cluster& cluster, std::span<const NodeIndex> nodes, const MoveRules& rules) {
  const auto is_one = [&](NodeIndex n) { return std::ranges::find(nodes, n) != nodes.end(); };
  std::vector<Staying> staying;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    const bool is_primary = is_one(instance.primary);
    if (!is_primary && !(instance.facts->has_secondary() && is_one(instance.secondary))) continue;
    Staying& added = staying.emplace_back();
    added.instance = InstanceIndex(i);
    added.node = is_primary ? instance.primary : instance.secondary;
    const std::vector<MoveKind> kinds = leaving_kinds(cluster, instance, is_primary, rules);
    added.may_move = !kinds.empty();
    if (!added.may_move) added.immovable = reason_to_stay(cluster, instance, is_primary, rules);
    const std::vector<NodeIndex> targets = targets_of(cluster, instance);
    added.has_targets = !targets.empty();
    if (added.may_move) added.nearest = nearest_move(cluster, added.instance, kinds, targets, rules);
  }
  return staying;
}

std::vector<NodeIndex> newly_unsafe(const Cluster& before, const Cluster& after) {
  // (What is free beyond the reserve may be nothing: before the first move on a node, that counts as safe.)
  const auto beyond_reserve = [](const Node& node) { return node.unallocated_memory() - node.books.reserved_memory; };
  const auto is_newly_unsafe = [&](const Node& was, const Node& is) {
    const std::int64_t vcpus = is.books.real.used_vcpus;
    return (is.books.n1_failed && !was.books.n1_failed && beyond_reserve(is) < beyond_reserve(was)) ||
           (is.facts->forbids_vcpus(vcpus) && vcpus > was.books.real.used_vcpus);
  };
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < after.nodes.size(); ++n) {
    if (!after.nodes[n].offline && is_newly_unsafe(before.nodes[n], after.nodes[n])) nodes.emplace_back(n);
  }
  return nodes;
}

EmptyingTrial try_emptying(const Cluster& start, Trial& trial, std::span<const NodeIndex> nodes,
                           const MoveRules& rules) {
  const Attempt attempt(trial);
  switch_off(trial, nodes);
  const BalanceOptions options = evacuation(rules);
  std::set<std::size_t> groups;
  for (const NodeIndex n : nodes) groups.insert(start.node(n).facts->group.position());
  EmptyingTrial result;
  for (const std::size_t g : groups) {
    const GroupMembers members = members_of(start, GroupIndex(g));
    Way way = balanced_emptying(trial, members, nodes, options);
    if (start.nodes.size() <= kSmallGroup) {  // not where there are many small groups to choose nodes from
      const auto below = leads_off(trial, way, members, nodes) ? std::optional(way.price) : std::nullopt;
      if (auto cheaper = cheapest_emptying(trial, members, nodes, rules, below)) way = std::move(*cheaper);
    }
    for (const BalanceStep& step : way.steps) trial.apply(step.instance, step.move);
    result.price += way.price;
  }
  result.staying = staying_on(trial.cluster(), nodes, options.moves);
  result.unsafe = newly_unsafe(start, trial.cluster());
  return result;
}

}  // namespace htools
