#include "tests/support/literal_moves.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/bookkeeping.h"
#include "rules/admission.h"
#include "tests/support/literal_placement.h"

namespace htools::testing::literal {

std::optional<FailMode> migrate(const Node& from, const Node& to) {
  const auto& receivable = to.facts->receivable_migration_tags.tags();
  for (const std::string& tag : from.facts->migration_tags.tags()) {
    if (std::find(receivable.begin(), receivable.end(), tag) == receivable.end()) return FailMode::Migration;
  }
  return std::nullopt;
}

MoveOutcome moved(const Cluster& cluster, InstanceIndex i, const Move& move, bool force) {
  const Instance& old = cluster.instance(i);
  const NodeIndex p = old.primary, s = old.secondary, t = move.target;
  const auto offline = [&](NodeIndex n) { return cluster.node(n).offline; };
  // A cordoned node receives nothing. One that has the second copy takes over if the primary is down, or by force.
  if (!t.is_none() && t != p && !(old.facts->has_secondary() && t == s) && cluster.node(t).cordoned) {
    return FailMode::Cordoned;
  }
  const auto can_migrate = [&](NodeIndex a, NodeIndex b) {
    const bool is_failover = move.kind != MoveKind::FailoverToAny && a == p && b == s;
    const auto fail = migrate(cluster.node(a), cluster.node(b));
    if (fail || !is_failover || !cluster.node(s).cordoned || offline(p) || force) return fail;
    return std::optional(FailMode::Cordoned);
  };
  const auto add_p = [&](bool flag, Node& node, const Instance& instance) {
    const auto fail = check_primary(node, books_with_primary(node, instance), instance, {.force = flag});
    if (!fail) add_primary(node, i, instance);
    return fail;
  };
  const auto add_s = [&](AdmissionRules rules, Node& node, const Instance& instance, NodeIndex peer) {
    const auto fail = check_secondary(node, books_with_secondary(node, instance, peer), instance, rules);
    if (!fail) add_secondary(node, i, instance, peer);
    return fail;
  };
  const auto rem_p = [&](Node& node, const Instance& instance) { remove_primary(node, i, instance); };
  const auto rem_s = [&](Node& node, const Instance& instance) { remove_secondary(node, i, instance, p); };
  const auto placed = [&](NodeIndex primary, NodeIndex secondary) {
    Instance instance = old;
    instance.primary = primary;
    instance.secondary = secondary;
    return instance;
  };
  const auto shared = [&](NodeIndex a, NodeIndex b) {
    std::int64_t common = 0;
    for (const std::string& x : cluster.node(a).facts->location_tags.tags()) {
      for (const std::string& y : cluster.node(b).facts->location_tags.tags()) common += x == y ? 1 : 0;
    }
    return common;
  };
  const auto scored = [&](Instance instance) {
    instance.location_score = shared(instance.primary, instance.secondary);
    return instance;
  };

  Node P = cluster.node(p);
  switch (move.kind) {
    case MoveKind::Failover: {
      Node S = cluster.node(s);
      if (const auto fail = can_migrate(p, s)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, old)) return *fail;
      rem_p(P, old);
      const AdmissionRules back{.force = offline(p) || force, .ignore_disks = offline(p)};
      if (const auto fail = add_s(back, P, old, s)) return *fail;
      return Moved{placed(s, p), {{s, S}, {p, P}}};
    }
    case MoveKind::FailoverToAny: {
      Node T = cluster.node(t);
      if (const auto fail = can_migrate(p, t)) return *fail;
      if (const auto fail = add_p(offline(p) || force, T, old)) return *fail;
      rem_p(P, old);
      return Moved{placed(t, s), {{p, P}, {t, T}}};
    }
    case MoveKind::ReplacePrimary: {
      const Instance now = scored(placed(t, s));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(s, t)) return *fail;
      if (const auto fail = can_migrate(p, s)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, now)) return *fail;
      if (const auto fail = add_p(offline(p) || force, T, now)) return *fail;
      rem_p(S, now);
      if (const auto fail = add_s({.force = offline(p) || force}, S, now, t)) return *fail;
      rem_p(P, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
    case MoveKind::ReplaceSecondary: {
      const Instance now = scored(placed(p, t));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = add_s({.force = offline(s) || force}, T, now, p)) return *fail;
      rem_p(P, old);
      if (const auto fail = add_p(true, P, now)) return *fail;
      rem_s(S, old);
      return Moved{now, {{s, S}, {t, T}, {p, P}}};
    }
    case MoveKind::ReplaceAndFailover: {
      const Instance now = scored(placed(t, p));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(p, t)) return *fail;
      if (const auto fail = add_p(force, T, now)) return *fail;
      rem_p(P, old);
      if (const auto fail = add_s({.force = offline(s) || force}, P, now, t)) return *fail;
      rem_s(S, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
    case MoveKind::FailoverAndReplace: {
      const Instance now = scored(placed(s, t));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(p, s)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, now)) return *fail;
      if (const auto fail = add_s({.force = offline(p) || force}, T, now, s)) return *fail;
      rem_p(P, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
  }
  return FailMode::Internal;
}

void apply(Cluster& cluster, InstanceIndex i, const Moved& result) {
  cluster.instance(i) = result.instance;
  for (const auto& [index, node] : result.nodes) cluster.node(index) = node;
}

namespace {

bool has_offline_node(const Cluster& cluster, const Instance& instance) {
  if (cluster.node(instance.primary).offline) return true;
  return instance.facts->disk_template == DiskTemplate::Drbd && cluster.node(instance.secondary).offline;
}

}  // namespace

std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                             const MoveRules& rules) {
  std::vector<InstanceIndex> result;
  for (InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    if (!instance.facts->movable || !instance.facts->auto_balance) continue;
    if (rules.evacuation && !has_offline_node(cluster, instance)) continue;
    result.push_back(i);
  }
  return result;
}

namespace {

// Returns the kinds of moves for each target node. The cases follow the rows of the table in the rules.
std::vector<MoveKind> kinds_per_target(const Cluster& cluster, const Instance& instance, const MoveRules& rules,
                                       bool secondary_usable) {
  using enum MoveKind;
  switch (facts(instance.facts->disk_template).mirror) {
    case MirrorType::None:
      return {};
    case MirrorType::External:
      return rules.instance_moves ? std::vector{FailoverToAny} : std::vector<MoveKind>{};
    case MirrorType::Internal:
      break;
  }
  if (!rules.disk_moves) return {};
  if (!rules.instance_moves) return {ReplaceSecondary};
  if (rules.restricted_migration && !cluster.node(instance.primary).offline) return {ReplaceSecondary};
  if (!secondary_usable) return {ReplaceSecondary, ReplaceAndFailover};
  if (rules.restricted_migration) return {ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace};
  return {ReplaceSecondary, ReplaceAndFailover, ReplacePrimary, FailoverAndReplace};
}

}  // namespace

std::vector<Move> moves_of(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                           const MoveRules& rules) {
  const bool internal = facts(instance.facts->disk_template).mirror == MirrorType::Internal;
  const bool secondary_usable = internal && is_in(members.nodes, instance.secondary) &&
                                !cluster.node(instance.secondary).offline && rules.instance_moves;
  std::vector<Move> moves;
  if (secondary_usable) moves.push_back({MoveKind::Failover, NodeIndex::none()});
  for (NodeIndex n : members.nodes) {
    const bool is_there = n == instance.primary || n == instance.secondary;
    if (cluster.node(n).offline || cluster.node(n).cordoned || is_there) continue;
    for (MoveKind kind : kinds_per_target(cluster, instance, rules, secondary_usable)) moves.push_back({kind, n});
  }
  return moves;
}

}  // namespace htools::testing::literal
