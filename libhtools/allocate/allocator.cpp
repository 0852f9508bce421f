#include "allocate/allocator.h"

#include <algorithm>
#include <span>
#include <utility>

#include "allocate/group_allocation.h"
#include "allocate/group_change.h"
#include "allocate/place_trials.h"
#include "cluster/bookkeeping.h"

namespace htools {

namespace {

// Returns the allocations that the request asks for; empty for other kinds of requests.
std::span<const AllocationRequest> allocations(const AllocatorRequest& request) {
  if (const auto* one = std::get_if<AllocationRequest>(&request)) return {one, 1};
  if (const auto* many = std::get_if<MultiAllocationRequest>(&request)) return many->allocations;
  return {};
}

InstanceIndex behind_last(const Cluster& cluster) { return InstanceIndex(cluster.instances.size()); }

AllocationAnswer allocate(AllocatorState& state, const AllocationRequest& request, const AllocationRules& rules,
                          Judge judge) {
  const Arrival arrival{request.instance, behind_last(state.cluster())};
  if (!request.group) {
    return allocate_anywhere(state.trial, state.nodes, arrival, request.required_nodes, rules, judge);
  }
  return allocate_in_group(state.trial, state.nodes, arrival, request.required_nodes, rules, judge, *request.group);
}

// Enters the new instance, and reduces the nodes that count to those by which its place was judged.
void enter(AllocatorState& state, const AllocationRequest& request, const AllocationAnswer& answer, Judge judge,
           InstanceIndex index_on_nodes) {
  const Arrival arrival{request.instance, behind_last(state.cluster())};
  carry_out(state.trial, arrival, answer.choice()->placement, index_on_nodes);
  if (request.group || judge == Judge::LostAllocations) {
    state.nodes = nodes_of_group(state.cluster(), state.nodes, answer.trials[*answer.selected].group);
  }
}

AllocationAnswer answer(AllocatorState& state, const AllocationRequest& request, AllocationRules rules, Judge judge) {
  if (!rules.allowed_nodes && request.allowed_nodes) {
    rules.allowed_nodes.emplace(request.allowed_nodes->begin(), request.allowed_nodes->end());
  }
  AllocationAnswer answer = allocate(state, request, rules, judge);
  if (!answer.selected) return answer;
  state.instances.insert(state.instances.begin(), behind_last(state.cluster()));
  enter(state, request, answer, judge, InstanceIndex::none());  // none(), so that node tables show the instance as -1
  return answer;
}

// True if the whole request fails because this instance has no place. If the request names a group, it fails only if
// that group cannot be used at all.
bool fails_the_request(const AllocationRequest& request, const AllocationAnswer& answer) {
  if (answer.selected) return false;
  return !request.group || !answer.group_known || std::holds_alternative<GroupProblem>(answer.trials.front().outcome);
}

MultiAllocationResult answer(AllocatorState& state, const MultiAllocationRequest& request, const AllocationRules& rules,
                             Judge judge) {
  MultiAllocationResult result{.lost_allocations = judge == Judge::LostAllocations, .items = {}, .failure = {}};
  const std::vector<Node> original_nodes = state.cluster().nodes;
  const std::size_t original_count = state.instances.size();
  const std::vector<NodeIndex> all_in_play = state.nodes;
  Attempt whole(state.trial);
  for (const AllocationRequest& one : request.allocations) {
    // In a named group with exclusive storage, each instance is placed as if the others had not been.
    const bool forgets = judge == Judge::LostAllocations && one.group;
    Attempt attempt(state.trial);
    for (std::size_t n = 0; forgets && n < original_nodes.size(); ++n) {
      state.trial.change(NodeIndex(n)) = original_nodes[n];
    }
    AllocationAnswer found = allocate(state, one, rules, judge);
    if (fails_the_request(one, found)) {
      result.failure = std::move(found);
      state.nodes = all_in_play;
      state.instances.resize(original_count);
      return result;
    }
    if (found.selected) {
      state.instances.push_back(behind_last(state.cluster()));
      enter(state, one, found, judge, state.instances.back());
      result.items.push_back({found.choice()->placement});
      attempt.keep();
    } else {
      result.items.push_back({std::move(found)});
    }
  }
  whole.keep();
  return result;
}

SecondaryResult answer(AllocatorState& state, const SecondaryRequest& request, const AllocationRules& rules) {
  const Cluster& cluster = state.cluster();
  const Instance& old = cluster.instance(request.instance);
  if (!old.secondary.is_none()) return {.has_secondary = true, .allocation = {}};
  const NodeIndex primary = old.primary;
  Arrival arrival{old, request.instance};
  arrival.instance.primary = NodeIndex::none();
  arrival.instance.facts.edit().disk_template = DiskTemplate::Drbd;
  std::vector<NodeIndex> secondaries = nodes_of_group(cluster, state.nodes, cluster.node(primary).facts->group);
  std::erase(secondaries, primary);

  Attempt attempt(state.trial);
  remove_primary(state.trial.change(primary), request.instance, old);
  PlaceTrials trials(state.trial, state.nodes, arrival, rules);
  SecondaryResult result{.has_secondary = false, .allocation = trials.try_pairs({primary}, secondaries)};
  if (result.allocation.choice) {
    carry_out(state.trial, arrival, result.allocation.choice->placement, arrival.index);
    attempt.keep();
  }
  return result;
}

RelocationResult answer(AllocatorState& state, const RelocationRequest& request, const AllocationRules& rules) {
  if (!is_supported(request)) return {RelocationProblem::NodeCount, {}};
  const Instance& instance = state.cluster().instance(request.instance);
  if (facts(instance.facts->disk_template).mirror == MirrorType::None) return {RelocationProblem::NotMirrored, {}};
  const bool drbd = instance.facts->has_secondary();
  const NodeIndex expected = drbd ? instance.secondary : instance.primary;
  if (request.from.size() != 1 || request.from.front() != expected) {
    return {RelocationProblem::NotOnTheseNodes, expected};
  }
  const EvacuationRequest evacuation{{request.instance},
                                     drbd ? EvacuationMode::SecondaryOnly : EvacuationMode::PrimaryOnly};
  auto outcome = std::move(evacuate(state.trial, evacuation, rules.force).front().outcome);
  if (auto* failure = std::get_if<EvacuationFailure>(&outcome)) return {std::move(*failure), expected};
  const Placement& after = std::get<Evacuated>(outcome).after;
  return {drbd ? after.secondary : after.primary, expected};
}

}  // namespace

bool uses_lost_allocations(const Cluster& cluster, const AllocatorRequest& request) {
  if (!std::holds_alternative<AllocationRequest>(request) && !std::holds_alternative<MultiAllocationRequest>(request)) {
    return false;
  }
  const auto wanted = allocations(request);
  const auto in_question = [&](const Group& group) {
    return wanted.empty() || !wanted.front().group ? group.is_allocable() : group.name == *wanted.front().group;
  };
  return std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
    return node.facts->exclusive_storage || !in_question(cluster.group(node.facts->group));
  });
}

AllocatorResult answer_request(AllocatorState& state, const AllocatorRequest& request, const AllocationRules& rules) {
  const Judge judge = uses_lost_allocations(state.cluster(), request) ? Judge::LostAllocations : Judge::Score;
  if (const auto* one = std::get_if<AllocationRequest>(&request)) return answer(state, *one, rules, judge);
  if (const auto* many = std::get_if<MultiAllocationRequest>(&request)) return answer(state, *many, rules, judge);
  if (const auto* secondary = std::get_if<SecondaryRequest>(&request)) return answer(state, *secondary, rules);
  if (const auto* relocation = std::get_if<RelocationRequest>(&request)) return answer(state, *relocation, rules);
  if (const auto* groups = std::get_if<GroupChangeRequest>(&request)) {
    return change_groups(state.trial, *groups, rules);
  }
  return evacuate(state.trial, std::get<EvacuationRequest>(request), rules.force);
}

}  // namespace htools
