#include "balance/move_generation.h"

#include <array>

namespace htools {
namespace {

bool is_on_offline_node(const Cluster& cluster, const InstanceFacts& instance, const Placement& at) {
  return cluster.node(at.primary).offline || (instance.has_secondary() && cluster.node(at.secondary).offline);
}

}  // namespace

bool is_on_offline_node(const Cluster& cluster, const Instance& instance) {
  return is_on_offline_node(cluster, *instance.facts, {instance.primary, instance.secondary});
}

bool is_candidate(const Cluster& cluster, const Instance& instance, const MoveRules& rules) {
  return instance.facts->movable && (instance.facts->auto_balance || !rules.auto_balanced_only) &&
         !(instance.facts->has_secondary() && instance.secondary.is_none()) &&
         (!rules.evacuation || is_on_offline_node(cluster, instance));
}

std::vector<InstanceIndex> candidate_instances(const Cluster& cluster, const GroupMembers& members,
                                               const MoveRules& rules) {
  std::vector<InstanceIndex> candidates;
  for (InstanceIndex i : members.instances) {
    if (is_candidate(cluster, cluster.instance(i), rules)) candidates.push_back(i);
  }
  return candidates;
}

MoveKinds move_kinds(const Cluster& cluster, const Instance& instance, const MoveRules& rules) {
  return move_kinds(cluster, *instance.facts, {instance.primary, instance.secondary}, rules);
}

MoveKinds move_kinds(const Cluster& cluster, const InstanceFacts& instance, const Placement& at,
                     const MoveRules& rules) {
  if (rules.evacuation && !is_on_offline_node(cluster, instance, at)) return {};
  using enum MoveKind;
  static constexpr std::array kExternal{FailoverToAny};
  static constexpr std::array kAll{ReplaceSecondary, ReplaceAndFailover, ReplacePrimary, FailoverAndReplace};
  static constexpr std::array kRestricted{ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace};
  constexpr std::span<const MoveKind> kWithoutSecondary(kAll.data(), 2), kOnlySecondary(kAll.data(), 1);
  constexpr std::span<const MoveKind> kFromSecondary(kAll.data() + 2, 2), kRestrictedFromSecondary(kAll.data() + 3, 1);

  const MirrorType mirror = facts(instance.disk_template).mirror;
  // True if the primary node still has the disks. An instance on a local disk is movable only then, and if the user
  // allows to stop and copy it.
  const bool has_disk = !is_down(cluster.node(at.primary));
  if (mirror == MirrorType::None && !(instance.movable && rules.local_moves && rules.disk_moves && has_disk)) return {};
  if (mirror != MirrorType::Internal) {
    return rules.instance_moves ? MoveKinds{.failover = false, .per_target = kExternal} : MoveKinds{};
  }
  const bool failover = rules.instance_moves && !cluster.node(at.secondary).offline;
  if (!rules.disk_moves) return {.failover = failover, .per_target = {}};
  if (!rules.dead_disks && !has_disk) {
    if (!failover) return {};
    return {.failover = true, .per_target = rules.restricted_migration ? kRestrictedFromSecondary : kFromSecondary};
  }
  if (!rules.instance_moves) return {.failover = false, .per_target = kOnlySecondary};
  if (rules.restricted_migration && !cluster.node(at.primary).offline) {
    return {.failover = failover, .per_target = kOnlySecondary};
  }
  if (!failover) return {.failover = false, .per_target = kWithoutSecondary};
  if (rules.restricted_migration) return {.failover = true, .per_target = kRestricted};
  return {.failover = true, .per_target = kAll};
}

std::vector<Move> generate_moves(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                 const MoveRules& rules) {
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  std::vector<Move> moves;
  if (kinds.failover) moves.push_back({MoveKind::Failover, NodeIndex::none()});
  for (NodeIndex target : members.nodes) {
    if (!receives(cluster.node(target)) || target == instance.primary || target == instance.secondary) continue;
    for (MoveKind kind : kinds.per_target) moves.push_back({kind, target});
  }
  return moves;
}

}  // namespace htools
