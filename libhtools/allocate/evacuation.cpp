#include "allocate/evacuation.h"

#include <fmt/format.h>

#include <utility>

#include "allocate/pair_evacuation.h"
#include "base/literal.h"
#include "htools/errors.h"
#include "metric/statistics.h"
#include "rules/move_application.h"
#include "trial/scored_nodes.h"

namespace htools {

namespace {

using Result = std::variant<Evacuated, EvacuationFailure>;

MirrorType mirror(const Instance& instance) { return facts(instance.facts->disk_template).mirror; }

// Throws InputError if a drbd instance has no secondary, because the moves refer to that node.
void require_secondary(const Instance& instance) {
  if (!instance.facts->has_secondary() || !instance.secondary.is_none()) return;
  throw InputError(
      ErrorCode::Unanswerable,
      fmt::format("drbd instance '{}' has no secondary node, so it cannot be moved", instance.facts->name));
}

Evacuated carry_out(Trial& trial, InstanceIndex index, const Move& move) {
  trial.apply(index, move);
  const Instance& instance = trial.cluster().instance(index);
  Evacuated evacuated{{instance.primary, instance.facts->has_secondary() ? instance.secondary : NodeIndex::none()}, {}};
  for (const MoveAction action : facts(move.kind).actions()) evacuated.steps.push_back({action, move.target});
  return evacuated;
}

Result fail_over(Trial& trial, InstanceIndex index, bool force) {
  const Cluster& cluster = trial.cluster();
  require_secondary(cluster.instance(index));
  const Move move{MoveKind::Failover, NodeIndex::none()};
  const MoveTrials::Outcome outcome = MoveTrials(cluster, index, force).attempt(move);
  if (const FailMode* fail = std::get_if<FailMode>(&outcome)) {
    return EvacuationFailure{
        FailoverRefused{*fail, refusals_of_moves(cluster, index, move.kind, {NodeIndex::none()}, force)}};
  }
  return carry_out(trial, index, move);
}

// Makes each of the moves on the trial, and returns the one that gives `group` the lowest score; of equal scores, the
// last. Undoes them all.
std::optional<Move> plainly_best(Trial& trial, InstanceIndex index, MoveKind kind,
                                 const std::vector<NodeIndex>& targets, const std::vector<NodeIndex>& group) {
  NodeRefs nodes;
  for (NodeIndex n : group) nodes.push_back(trial.cluster().node(n));
  std::optional<std::pair<double, Move>> best;
  for (NodeIndex target : targets) {
    const Move move{kind, target};
    const Attempt attempt(trial);
    trial.apply(index, move);
    const double moved_score = score(nodes);
    if (!best || !(best->first < moved_score)) best = {moved_score, move};
  }
  return best ? std::optional(best->second) : std::nullopt;
}

// Moves one node of the instance: the secondary of a drbd instance, the primary of others. Chooses the target that
// gives `group`, the nodes of the target group, the best score.
Result move_to_one(Trial& trial, InstanceIndex index, const std::vector<NodeIndex>& targets,
                   const std::vector<NodeIndex>& group, bool force) {
  const Cluster& cluster = trial.cluster();
  const Instance& instance = cluster.instance(index);
  if (targets.empty()) return EvacuationFailure{TargetsRefused{}};
  require_secondary(instance);
  const bool is_move = !instance.facts->has_secondary();
  const MoveKind kind = is_move ? MoveKind::FailoverToAny : MoveKind::ReplaceSecondary;
  const MoveTrials trials(cluster, index, force);
  ScoredNodes scope(cluster, group);
  if (is_move) scope.assume_departure(instance);
  TargetsRefused refused;
  std::vector<ScoredNodes::Candidate> candidates;
  std::vector<NodeIndex> possible;
  for (NodeIndex target : targets) {
    const MoveTrials::Outcome outcome = trials.attempt({kind, target});
    if (const FailMode* fail = std::get_if<FailMode>(&outcome)) {
      refused.targets.emplace_back(target, *fail);
      continue;
    }
    possible.push_back(target);
    if (kLiteral) continue;
    const NodeIndex host = is_move ? target : NodeIndex::none();
    candidates.push_back(scope.candidate(std::get<MoveEffect>(outcome).changes(), host, instance));
  }
  if (kLiteral && !possible.empty()) return carry_out(trial, index, *plainly_best(trial, index, kind, possible, group));
  const auto best = scope.best(candidates);
  if (!best) {
    refused.refusals = refusals_of_moves(cluster, index, kind, targets, force);
    return EvacuationFailure{std::move(refused)};
  }
  return carry_out(trial, index, {kind, possible[*best]});
}

std::vector<NodeIndex> all_nodes_of_group(const Cluster& cluster, GroupIndex group) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (cluster.nodes[n].facts->group == group) nodes.push_back(NodeIndex(n));
  }
  return nodes;
}

Result move_instance(Trial& trial, InstanceIndex index, EvacuationMode mode, const std::vector<NodeIndex>& targets,
                     GroupIndex target_group, bool force) {
  const Cluster& cluster = trial.cluster();
  const Instance& instance = cluster.instance(index);
  if (mirror(instance) == MirrorType::None) return EvacuationFailure{NotRelocatable{}};
  if (!instance.facts->has_secondary() && mode == EvacuationMode::SecondaryOnly)
    return EvacuationFailure{NoSecondary{}};
  if (instance.facts->has_secondary() && mode == EvacuationMode::PrimaryOnly) return fail_over(trial, index, force);
  const std::vector<NodeIndex> group = all_nodes_of_group(cluster, target_group);
  if (instance.facts->has_secondary() && mode == EvacuationMode::All) {
    if (targets.size() < 2) return EvacuationFailure{PairsRefused{}};
    require_secondary(instance);
    return move_to_pair(trial, index, targets, group, force);
  }
  return move_to_one(trial, index, targets, group, force);
}

}  // namespace

Result evacuate_instance(Trial& trial, InstanceIndex index, const Instance& original, EvacuationMode mode,
                         const std::vector<NodeIndex>& targets, GroupIndex target_group, bool force) {
  Attempt attempt(trial);
  trial.change(index) = original;
  Result result = move_instance(trial, index, mode, targets, target_group, force);
  if (std::holds_alternative<Evacuated>(result)) attempt.keep();
  return result;
}

std::vector<InstanceOutcome> evacuate(Trial& trial, const EvacuationRequest& request, bool force) {
  const Cluster& cluster = trial.cluster();
  std::vector<bool> excluded;
  for (const Node& node : cluster.nodes) excluded.push_back(!receives(node));
  for (InstanceIndex i : request.instances) {
    const Instance& instance = cluster.instance(i);
    if (request.mode != EvacuationMode::SecondaryOnly) excluded[instance.primary.position()] = true;
    if (request.mode != EvacuationMode::PrimaryOnly && instance.facts->has_secondary() &&
        !instance.secondary.is_none()) {
      excluded[instance.secondary.position()] = true;
    }
  }
  return for_each_original(cluster, request.instances, [&](InstanceIndex i, const Instance& original) {
    const GroupIndex group = cluster.node(original.primary).facts->group;
    std::vector<NodeIndex> targets;
    for (NodeIndex n : all_nodes_of_group(cluster, group)) {
      if (!excluded[n.position()] && n != original.primary) targets.push_back(n);
    }
    return evacuate_instance(trial, i, original, request.mode, targets, group, force);
  });
}

std::vector<InstanceOutcome> for_each_original(
    const Cluster& cluster, const std::vector<InstanceIndex>& instances,
    const std::function<Result(InstanceIndex, const Instance& original)>& work) {
  std::vector<Instance> originals;
  for (InstanceIndex i : instances) originals.push_back(cluster.instance(i));
  std::vector<InstanceOutcome> outcomes;
  for (std::size_t k = 0; k < instances.size(); ++k) {
    outcomes.push_back({instances[k], work(instances[k], originals[k])});
  }
  return outcomes;
}

}  // namespace htools
