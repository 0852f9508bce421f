#include "explain/instance_explanation.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "balance/move_generation.h"
#include "cluster/members.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {

InstanceExplanation explain_instance(const Cluster& cluster, InstanceIndex index, const MoveRules& rules) {
  const Instance& instance = cluster.instance(index);
  InstanceExplanation explanation{
      .instance = index, .group = cluster.node(instance.primary).facts->group, .now = placement_of(instance)};
  const GroupMembers members = members_of(cluster, explanation.group);
  Trial trial(cluster);
  const NodeRefs nodes = member_nodes(trial.cluster(), members);
  explanation.score = score(nodes);
  explanation.immovable = immovable_reason(cluster, instance, rules);
  if (explanation.immovable) return explanation;

  const MoveReasons reasons(cluster, index, rules.force);
  std::vector<Move> forbidden;
  std::vector<Refusal> refusals;
  for (const Move& move : generate_moves(cluster, members, instance, rules)) {
    const MoveReasons::Outcome outcome = reasons.attempt(move);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
      forbidden.push_back(move);
      refusals.push_back(*refusal);
      continue;
    }
    const Attempt attempt(trial);
    BalanceStep step{index, move, explanation.now, placement_after(explanation.now, move), 0.0};
    const MoveCost cost = cost_of(cluster, step, {});
    trial.apply(index, move);
    step.score = score(nodes);
    explanation.allowed.push_back({step, cost});
  }
  std::stable_sort(explanation.allowed.begin(), explanation.allowed.end(),
                   [](const PossibleMove& a, const PossibleMove& b) { return a.step.score < b.step.score; });
  for (RefusalGroup& reason : group_refusals(refusals)) {
    ForbiddenMoves& group = explanation.forbidden.emplace_back();
    for (const std::size_t position : reason.positions) group.moves.push_back(forbidden[position]);
    group.reason = std::move(reason);
  }
  return explanation;
}

MoveExplanation explain_move(const Cluster& cluster, const ResolvedPlacement& wanted, const MoveRules& rules) {
  Trial trial(cluster);
  Judgement judgement = judge(trial, {wanted}, rules);
  MoveExplanation explanation{.judged = judgement.placements.front(), .steps = {}, .score = {}};
  const GroupIndex group = explanation.judged.group;
  explanation.score = {score_of(cluster, group).value, score_of(trial.cluster(), group).value};
  if (!judgement.steps.empty())
    explanation.steps = describe_plan(cluster, cluster, trial.cluster(), judgement.steps, {group}).steps;
  return explanation;
}

}  // namespace htools
