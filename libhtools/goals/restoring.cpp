#include "goals/restoring.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "allocate/allocation.h"
#include "allocate/allocator.h"
#include "cluster/bookkeeping.h"
#include "cluster/data_copies.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "metric/statistics.h"
#include "placement/failure_counts.h"
#include "plan/paths.h"
#include "rules/refusal.h"

namespace htools {
namespace {

Instance without_nodes(const Instance& instance) {
  Instance unplaced = instance;
  unplaced.primary = unplaced.secondary = NodeIndex::none();
  unplaced.location_score = 0;
  return unplaced;
}

double group_score(const Cluster& cluster, NodeIndex node) {
  return score(member_nodes(cluster, members_of(cluster, cluster.node(node).facts->group)));
}

// Takes the instance out of the books of its nodes.
void take_off(Trial& trial, InstanceIndex index) {
  const Instance instance = trial.cluster().instance(index);
  remove_primary(trial.change(instance.primary), index, instance);
  if (!instance.secondary.is_none())
    remove_secondary(trial.change(instance.secondary), index, instance, instance.primary);
}

// Takes the instance off its nodes and puts it on others. Returns the step, with its score.
BalanceStep put_anew(Trial& trial, InstanceIndex index, const Placement& place) {
  const Instance instance = trial.cluster().instance(index);
  take_off(trial, index);
  carry_out(trial, {without_nodes(instance), index}, place, index);
  return {index, Move{}, placement_of(instance), place, group_score(trial.cluster(), place.primary)};
}

// Asks the allocator about a copy of the cluster.
AllocationAnswer answer_about(const Cluster& cluster, InstanceIndex index, const AllocationRules& rules) {
  const Instance& instance = cluster.instance(index);
  AllocationRequest request;
  request.instance = without_nodes(instance);
  request.required_nodes = instance.facts->has_secondary() ? 2 : 1;
  request.group = unique_name(cluster, cluster.node(instance.primary).facts->group);
  GroupMembers all = all_members(cluster);
  AllocatorState state{Trial(cluster), std::move(all.nodes), std::move(all.instances)};
  return std::get<AllocationAnswer>(answer_request(state, request, rules));
}

// Returns the place for the instance, or the refusals of all of them.
std::variant<Placement, std::vector<Refusal>> place_for(const Cluster& cluster, InstanceIndex index) {
  std::vector<Refusal> refusals;
  for (const bool capacity_checks : {true, false}) {
    const AllocationAnswer answer =
        answer_about(cluster, index, {.capacity_checks = capacity_checks, .allowed_nodes = {}, .explain = true});
    if (const AllocationChoice* choice = answer.choice()) return choice->placement;
    refusals.clear();
    for (const GroupTrial& group : answer.trials) {
      const auto* allocation = std::get_if<Allocation>(&group.outcome);
      if (allocation != nullptr)
        refusals.insert(refusals.end(), allocation->refusals.begin(), allocation->refusals.end());
    }
  }
  return refusals;
}

// True if the nodes take the instance, which needs as many nodes, and are of its node group.
bool takes(const Cluster& cluster, InstanceIndex index, const Placement& place) {
  const Instance& instance = cluster.instance(index);
  if (place.secondary.is_none() == instance.facts->has_secondary()) return false;
  const GroupIndex group = cluster.node(instance.primary).facts->group;
  const Instance unplaced = without_nodes(instance);
  for (const NodeIndex n : nodes_of(place)) {
    if (!receives(cluster.node(n)) || cluster.node(n).facts->group != group) return false;
  }
  return possible_as_primary(cluster, place.primary, unplaced) &&
         (place.secondary.is_none() || possible_as_secondary(cluster, place.secondary, unplaced, place.primary));
}

// Makes the steps on the trial and sets their scores. Returns whether all of them are allowed.
bool make_all(Trial& trial, std::vector<BalanceStep>& steps, bool force) {
  for (BalanceStep& step : steps) {
    if (!is_allowed(trial.cluster(), step, force)) return false;
    trial.apply(step.instance, step.move);
    step.score = group_score(trial.cluster(), step.after.primary);
  }
  return true;
}

}  // namespace

Restoring restore_lost(Trial& trial, const std::vector<GroupIndex>& groups) {
  const Cluster& cluster = trial.cluster();
  std::vector<InstanceIndex> lost = instances_with_lost_data(cluster, groups);
  std::ranges::stable_sort(lost, std::ranges::greater{},
                           [&](InstanceIndex i) { return cluster.instance(i).facts->memory; });
  Restoring restoring;
  for (const InstanceIndex i : lost) {
    const auto place = place_for(cluster, i);
    if (const auto* found = std::get_if<Placement>(&place)) {
      restoring.steps.push_back(put_anew(trial, i, *found));
    } else {
      restoring.left.push_back({i, nearest_refusal(std::get<std::vector<Refusal>>(place))});
    }
  }
  return restoring;
}

void restore_at_ends(const Cluster& before, Cluster& start, std::vector<BalanceStep>& restored,
                     std::vector<BalanceStep>& steps, bool force) {
  for (BalanceStep& anew : restored) {
    const auto is_of_instance = [&](const BalanceStep& step) { return step.instance == anew.instance; };
    const auto last = std::find_if(steps.rbegin(), steps.rend(), is_of_instance);
    if (last == steps.rend()) continue;
    const Placement end = last->after;
    Trial trial(start);
    take_off(trial, anew.instance);
    if (!takes(trial.cluster(), anew.instance, end)) continue;
    carry_out(trial, {without_nodes(start.instance(anew.instance)), anew.instance}, end, anew.instance);
    const Cluster new_start = trial.cluster();
    std::vector<BalanceStep> others;
    std::ranges::remove_copy_if(steps, std::back_inserter(others), is_of_instance);
    if (!make_all(trial, others, force)) continue;
    anew.after = end;
    start = new_start;
    steps = std::move(others);
  }
  Trial trial(before);
  for (BalanceStep& anew : restored) anew.score = put_anew(trial, anew.instance, anew.after).score;
}

std::vector<BalanceStep> restore_as_planned(Trial& trial, std::vector<ResolvedPlacement>& placements) {
  std::vector<BalanceStep> steps;
  std::erase_if(placements, [&](const ResolvedPlacement& p) {
    const Cluster& cluster = trial.cluster();
    if (!p.new_disks || !has_lost_data(cluster, cluster.instance(p.instance))) return false;
    const Placement place = placement_on(p.to);
    if (!takes(cluster, p.instance, place)) return false;
    steps.push_back(put_anew(trial, p.instance, place));
    return true;
  });
  return steps;
}

}  // namespace htools
