#include "placement/move_generation.h"

namespace htools {

namespace {

bool has_offline_node(const Cluster& cluster, const Instance& instance) {
  return cluster.node(instance.primary).offline ||
         (instance.has_secondary() && cluster.node(instance.secondary).offline);
}

}  // namespace

bool is_candidate(const Cluster& cluster, const Instance& instance, const MoveRules& rules) {
  return instance.movable && instance.auto_balance && !(instance.has_secondary() && instance.secondary.is_none()) &&
         (!rules.evacuation || has_offline_node(cluster, instance));
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
  using enum MoveKind;
  switch (facts(instance.disk_template).mirror) {
    case MirrorType::None:
      return {};
    case MirrorType::External:
      if (!rules.instance_moves) return {};
      return {.failover = false, .per_target = {FailoverToAny}};
    case MirrorType::Internal:
      break;
  }
  const bool secondary_usable = rules.instance_moves && !cluster.node(instance.secondary).offline;
  MoveKinds kinds{.failover = secondary_usable, .per_target = {}};
  if (!rules.disk_moves) return kinds;
  kinds.per_target = {ReplaceSecondary};
  if (!rules.instance_moves) return kinds;
  if (rules.restricted_migration && !cluster.node(instance.primary).offline) return kinds;
  kinds.per_target.push_back(ReplaceAndFailover);
  if (!secondary_usable) return kinds;
  if (!rules.restricted_migration) kinds.per_target.push_back(ReplacePrimary);
  kinds.per_target.push_back(FailoverAndReplace);
  return kinds;
}

std::vector<Move> generate_moves(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                 const MoveRules& rules) {
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  std::vector<Move> moves;
  if (kinds.failover) moves.push_back({MoveKind::Failover, NodeIndex::none()});
  for (NodeIndex target : members.nodes) {
    if (cluster.node(target).offline || target == instance.primary || target == instance.secondary) continue;
    for (MoveKind kind : kinds.per_target) moves.push_back({kind, target});
  }
  return moves;
}

}  // namespace htools
