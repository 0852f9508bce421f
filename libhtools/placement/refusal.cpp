#include "placement/refusal.h"

#include "cluster/bookkeeping.h"

namespace htools {

namespace {

std::optional<Refusal> as_primary(NodeIndex n, const std::optional<Shortage>& shortage) {
  return shortage ? std::optional(Refusal{{n, NodeIndex::none()}, *shortage}) : std::nullopt;
}

std::optional<Refusal> as_secondary(NodeIndex n, const std::optional<Shortage>& shortage) {
  return shortage ? std::optional(Refusal{{NodeIndex::none(), n}, *shortage}) : std::nullopt;
}

// Policy included.
std::optional<Refusal> refusal_of_primary(const Cluster& cluster, NodeIndex n, const Instance& instance, bool force) {
  const Node& node = cluster.node(n);
  if (const auto shortage = policy_shortage(instance, cluster.group(node.group).policy, node.exclusive_storage)) {
    return as_primary(n, shortage);
  }
  const NodeBooks after = books_with_primary(node, instance);
  return as_primary(n, primary_shortage(node, node.books, after, instance, {.force = force}));
}

std::optional<Refusal> refusal_of_secondary(const Cluster& cluster, NodeIndex n, const Instance& instance,
                                            NodeIndex primary) {
  const Node& node = cluster.node(n);
  const NodeBooks after = books_with_secondary(node, instance, primary);
  return as_secondary(n, secondary_shortage(node, node.books, after, instance));
}

}  // namespace

std::vector<Refusal> refusals_of_nodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                                       const Instance& instance, bool force) {
  std::vector<Refusal> refusals;
  for (NodeIndex n : nodes) {
    if (const auto refusal = refusal_of_primary(cluster, n, instance, force)) refusals.push_back(*refusal);
  }
  return refusals;
}

std::vector<Refusal> refusals_of_pairs(const Cluster& cluster, const std::vector<NodeIndex>& primaries,
                                       const std::vector<NodeIndex>& secondaries, const Instance& instance,
                                       bool force) {
  std::vector<Refusal> refusals = refusals_of_nodes(cluster, primaries, instance, force);
  for (NodeIndex s : secondaries) {
    if (const auto refusal = refusal_of_secondary(cluster, s, instance, NodeIndex::none())) {
      refusals.push_back(*refusal);
      continue;
    }
    for (NodeIndex p : primaries) {
      if (p == s || cluster.node(s).peers.memory_for(p) == 0) continue;
      if (auto refusal = refusal_of_secondary(cluster, s, instance, p)) {
        refusal->place.primary = p;
        refusals.push_back(*refusal);
      }
    }
  }
  return refusals;
}

std::optional<Refusal> refusal_of_move(const Cluster& cluster, InstanceIndex index, const Move& move, bool force) {
  const Instance& instance = cluster.instance(index);
  const Node& primary = cluster.node(instance.primary);
  const NodeBooks left = books_without_primary(primary, instance);
  if (move.kind == MoveKind::ReplaceSecondary) {
    const Node& target = cluster.node(move.target);
    const AdmissionRules rules{.force = force || cluster.node(instance.secondary).offline};
    const NodeBooks arrived = books_with_secondary(target, instance, instance.primary);
    if (const auto shortage = secondary_shortage(target, target.books, arrived, instance, rules)) {
      return as_secondary(move.target, shortage);
    }
    // The primary takes the instance off and on again.
    const NodeBooks again = books_with_primary(primary, left, instance);
    return as_primary(instance.primary, primary_shortage(primary, left, again, instance, {.force = true}));
  }
  const bool to_secondary = move.kind == MoveKind::Failover;
  const NodeIndex host = to_secondary ? instance.secondary : move.target;
  const Node& node = cluster.node(host);
  if (!migration_allowed(primary, node)) return Refusal{{host, NodeIndex::none()}, NotReceivable{}};
  const AdmissionRules rules{.force = force || primary.offline, .ignore_disks = primary.offline};
  const NodeBooks before = to_secondary ? books_without_secondary(node, instance, instance.primary) : node.books;
  const NodeBooks arrived = books_with_primary(node, before, instance);
  if (const auto shortage = primary_shortage(node, before, arrived, instance, rules)) return as_primary(host, shortage);
  if (!to_secondary) return std::nullopt;
  const NodeBooks demoted = books_with_secondary(primary, left, instance, host);
  return as_secondary(instance.primary, secondary_shortage(primary, left, demoted, instance, rules));
}

std::vector<Refusal> refusals_of_moves(const Cluster& cluster, InstanceIndex instance, MoveKind kind,
                                       const std::vector<NodeIndex>& targets, bool force) {
  std::vector<Refusal> refusals;
  for (NodeIndex target : targets) {
    if (const auto refusal = refusal_of_move(cluster, instance, {kind, target}, force)) refusals.push_back(*refusal);
  }
  return refusals;
}

}  // namespace htools
