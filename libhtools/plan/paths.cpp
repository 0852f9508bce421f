#include "plan/paths.h"

#include <algorithm>
#include <array>
#include <variant>

#include "balance/move_generation.h"
#include "rules/move_application.h"

namespace htools {
namespace {

constexpr std::array kWithTarget{MoveKind::ReplaceSecondary, MoveKind::ReplaceAndFailover, MoveKind::FailoverAndReplace,
                                 MoveKind::ReplacePrimary};

bool is_on(const Placement& placement, NodeIndex node) {
  return placement.primary == node || placement.secondary == node;
}

// Returns the moves of an instance with a secondary whose targets are nodes of `to`, and the failover.
std::vector<Move> moves_within(const Placement& from, const Placement& to) {
  std::vector<Move> moves{{MoveKind::Failover, NodeIndex::none()}};
  for (const NodeIndex target : {to.primary, to.secondary}) {
    if (is_on(from, target)) continue;
    for (const MoveKind kind : kWithTarget) moves.push_back({kind, target});
  }
  return moves;
}

// True if migration tags allow the instance to come to each node that runs it during the move.
bool may_migrate(const Cluster& cluster, Placement at, const Move& move) {
  for (const MoveAction action : facts(move.kind).actions()) {
    if (action == MoveAction::ReplaceSecondary) {
      at.secondary = move.target;
      continue;
    }
    const NodeIndex host = action == MoveAction::Failover ? at.secondary : move.target;
    if (!migration_allowed(cluster.node(at.primary), cluster.node(host))) return false;
    at = {host, action == MoveAction::Failover ? at.primary : at.secondary};
  }
  return true;
}

}  // namespace

// A move changes one node of a pair, and may exchange the roles.
int moves_between(const Placement& from, const Placement& to) {
  if (from == to) return 0;
  if (from.secondary.is_none()) return 1;
  const bool shared = is_on(from, to.primary) || is_on(from, to.secondary);
  return shared ? 1 : 2;
}

std::vector<Move> moves_towards(const Placement& from, const Placement& to) {
  const int distance = moves_between(from, to);
  if (distance == 0) return {};
  if (from.secondary.is_none()) return {{MoveKind::FailoverToAny, to.primary}};
  std::vector<Move> moves = moves_within(from, to);
  std::erase_if(moves, [&](const Move& move) { return moves_between(placement_after(from, move), to) >= distance; });
  return moves;
}

std::vector<Move> possible_moves_towards(const Cluster& cluster, const InstanceFacts& instance, const Placement& from,
                                         const Placement& to, const MoveRules& rules) {
  const MoveKinds kinds = move_kinds(cluster, instance, from, rules);
  const auto is_possible = [&](const Move& move) {
    const bool has_target = !move.target.is_none();
    if (!kinds.have(move) || (has_target && !receives(cluster.node(move.target))) ||
        !may_migrate(cluster, from, move)) {
      return false;
    }
    const Placement after = placement_after(from, move);
    return after == to || !possible_moves_towards(cluster, instance, after, to, rules).empty();
  };
  std::vector<Move> moves = moves_towards(from, to);
  std::erase_if(moves, [&](const Move& move) { return !is_possible(move); });
  return moves;
}

std::vector<Placement> placements_between(const Placement& from, const Placement& to) {
  std::vector<Placement> between;
  for (const Move& move : moves_towards(from, to)) {
    Placement at = from;
    for (const MoveAction action : facts(move.kind).actions()) {
      at = placement_after(at, {kind_of(action), move.target});
      if (at != to) between.push_back(at);
    }
    const std::vector<Placement> rest = placements_between(at, to);
    between.insert(between.end(), rest.begin(), rest.end());
  }
  return between;
}

bool is_allowed(const Cluster& cluster, const BalanceStep& step, bool force) {
  return placement_of(cluster.instance(step.instance)) == step.before &&
         std::holds_alternative<MoveEffect>(MoveTrials(cluster, step.instance, force).attempt(step.move));
}

Placement placement_of(const Instance& instance) {
  return {instance.primary, instance.facts->has_secondary() ? instance.secondary : NodeIndex::none()};
}

std::vector<NodeIndex> nodes_of(const Placement& placement) {
  if (placement.secondary.is_none()) return {placement.primary};
  return {placement.primary, placement.secondary};
}

Placement placement_on(const std::vector<NodeIndex>& nodes) {
  return {nodes.front(), nodes.size() > 1 ? nodes.back() : NodeIndex::none()};
}

std::vector<NodeIndex> touched_nodes(const BalanceStep& step) {
  std::vector<NodeIndex> nodes = nodes_of(step.before);
  for (const NodeIndex n : nodes_of(step.after)) {
    if (std::find(nodes.begin(), nodes.end(), n) == nodes.end()) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace htools
