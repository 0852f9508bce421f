#include "plan/departures.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/paths.h"

namespace htools {
namespace {

std::ptrdiff_t count_on(const Placement& placement, std::span<const NodeIndex> nodes) {
  return std::ranges::count_if(nodes_of(placement),
                               [&](NodeIndex n) { return std::ranges::find(nodes, n) != nodes.end(); });
}

std::vector<Move> possible_moves(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                 const MoveRules& rules) {
  std::vector<Move> moves;
  if (!is_candidate(cluster, instance, rules)) return moves;
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  if (kinds.failover) moves.push_back({MoveKind::Failover, NodeIndex::none()});
  for (const NodeIndex n : members.nodes) {
    if (!receives(cluster.node(n)) || n == instance.primary || n == instance.secondary) continue;
    for (const MoveKind kind : kinds.per_target) moves.push_back({kind, n});
  }
  return moves;
}

// Returns the step of the instance that leads to the lowest score and brings it away from one of the nodes at least.
std::optional<BalanceStep> best_departure(Trial& trial, const GroupMembers& members, InstanceIndex i,
                                          std::span<const NodeIndex> nodes, const MoveRules& rules) {
  const Instance& instance = trial.cluster().instance(i);
  const Placement now = placement_of(instance);
  std::optional<BalanceStep> best;
  for (const Move& move : possible_moves(trial.cluster(), members, instance, rules)) {
    BalanceStep step{i, move, now, placement_after(now, move), 0.0};
    if (count_on(step.after, nodes) >= count_on(now, nodes) || !is_allowed(trial.cluster(), step, rules.force))
      continue;
    const Attempt attempt(trial);
    trial.apply(i, move);
    step.score = score(member_nodes(trial.cluster(), members));
    if (!best || step.score < best->score) best = step;
  }
  return best;
}

}  // namespace

Ordering departures(Trial& trial, const GroupMembers& members, std::span<const NodeIndex> nodes,
                    const MoveRules& rules) {
  Ordering plan;
  for (const InstanceIndex i : members.instances) {
    while (count_on(placement_of(trial.cluster().instance(i)), nodes) > 0) {
      const std::optional<BalanceStep> step = best_departure(trial, members, i, nodes, rules);
      if (!step) break;
      trial.apply(i, step->move);
      plan.steps.push_back({*step, std::nullopt});
    }
  }
  return plan;
}

}  // namespace htools
