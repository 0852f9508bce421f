#include "tests/support/literal_allocator.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cluster/bookkeeping.h"

namespace htools::testing {

std::string text(const MultiAllocationResult& result) {
  std::string list = result.lost_allocations ? "by loss: " : "";
  for (const auto& item : result.items) {
    list += std::visit([](const auto& either) { return text(either); }, item.outcome) + "; ";
  }
  return result.failure ? "failed with " + text(*result.failure) : list;
}

std::string text(const SecondaryResult& result) {
  return result.has_secondary ? "has a secondary" : text(result.allocation);
}

std::string text(const RelocationResult& result) {
  if (const auto* node = std::get_if<NodeIndex>(&result.outcome)) return "to " + text(*node);
  if (const auto* failure = std::get_if<EvacuationFailure>(&result.outcome)) return text(*failure);
  static const std::vector<std::string> problems{"node count", "not mirrored", "not on these nodes"};
  const auto problem = std::get<RelocationProblem>(result.outcome);
  const bool expects = problem == RelocationProblem::NotOnTheseNodes;
  return problems[static_cast<std::size_t>(problem)] + (expects ? ", but on " + text(result.expected) : "");
}

namespace literal {

namespace {

Judge judge_of(const Cluster& cluster, const std::optional<std::string>& group) {
  for (const Node& node : cluster.nodes) {
    const Group& own = cluster.group(node.facts->group);
    const bool relevant = group ? own.name == *group : own.alloc_policy != AllocPolicy::Unallocable;
    if (relevant && !node.facts->exclusive_storage) return Judge::Score;
  }
  return Judge::LostAllocations;
}

}  // namespace

AllocationAnswer attempt(const State& state, const AllocationRequest& request, const AllocationRules& rules,
                         Judge judge) {
  const Arrival arrival = as_arrival(state.cluster, request.instance);
  return request.group
             ? literal::allocate_in_group(state.cluster, state.nodes, arrival, request.required_nodes, rules, judge,
                                          *request.group)
             : literal::allocate_anywhere(state.cluster, state.nodes, arrival, request.required_nodes, rules, judge);
}

namespace {

void enter(Cluster& cluster, Instance instance, const Placement& place, InstanceIndex on_nodes) {
  instance.primary = place.primary;
  instance.secondary = place.secondary;
  if (!place.secondary.is_none()) {
    instance.location_score = cluster.node(place.primary)
                                  .facts->location_tags.common_with(cluster.node(place.secondary).facts->location_tags);
    add_secondary(cluster.node(place.secondary), on_nodes, instance, place.primary);
  }
  add_primary(cluster.node(place.primary), on_nodes, instance);
  cluster.instances.push_back(instance);
}

}  // namespace

std::string answer(State& state, const AllocationRequest& request, AllocationRules rules) {
  const Judge judge = judge_of(state.cluster, request.group);
  if (!rules.allowed_nodes && request.allowed_nodes) {
    rules.allowed_nodes.emplace(request.allowed_nodes->begin(), request.allowed_nodes->end());
  }
  const AllocationAnswer answer = attempt(state, request, rules, judge);
  if (!answer.choice()) return text(answer);
  const GroupIndex group = answer.trials[*answer.selected].group;
  enter(state.cluster, request.instance, answer.choice()->placement, InstanceIndex::none());
  state.instances.insert(state.instances.begin(), InstanceIndex(state.cluster.instances.size() - 1));
  if (request.group || judge == Judge::LostAllocations) {
    state.nodes = literal::members(state.cluster, state.nodes, group);
  }
  return text(answer);
}

std::string answer(State& state, const MultiAllocationRequest& request, const AllocationRules& rules) {
  const State beginning = state;
  const auto& wanted = request.allocations;
  const Judge judge = judge_of(state.cluster, wanted.empty() ? std::nullopt : wanted.front().group);
  std::string list = judge == Judge::LostAllocations ? "by loss: " : "";
  for (const AllocationRequest& one : wanted) {
    State start = state;
    if (judge == Judge::LostAllocations && one.group) start.cluster.nodes = beginning.cluster.nodes;
    const AllocationAnswer answer = attempt(start, one, rules, judge);
    if (answer.choice()) {
      state = start;
      const GroupIndex group = answer.trials[*answer.selected].group;
      const InstanceIndex index(state.cluster.instances.size());
      enter(state.cluster, one.instance, answer.choice()->placement, index);
      state.instances.push_back(index);
      if (one.group || judge == Judge::LostAllocations) {
        state.nodes = literal::members(state.cluster, state.nodes, group);
      }
      list += text(answer.choice()->placement) + "; ";
    } else if (one.group && answer.group_known && std::holds_alternative<Allocation>(answer.trials[0].outcome)) {
      list += text(answer) + "; ";
    } else {
      state = beginning;
      return "failed with " + text(answer);
    }
  }
  return list;
}

std::string answer(State& state, const SecondaryRequest& request, const AllocationRules& rules) {
  const Instance old = state.cluster.instance(request.instance);
  if (!old.secondary.is_none()) return "has a secondary";
  Cluster removed = state.cluster;
  remove_primary(removed.node(old.primary), request.instance, old);
  Arrival arrival{old, request.instance};
  arrival.instance.facts.edit().disk_template = DiskTemplate::Drbd;
  const Nodes group = literal::members(removed, state.nodes, removed.node(old.primary).facts->group);
  const Allocation found = literal::try_pairs(removed, state.nodes, {old.primary}, group, arrival, rules);
  if (found.choice) {
    enter(removed, arrival.instance, found.choice->placement, request.instance);
    removed.instance(request.instance) = removed.instances.back();
    removed.instances.pop_back();
    state.cluster = removed;
  }
  return text(found);
}

std::string answer(State& state, const RelocationRequest& request, const AllocationRules& rules) {
  const Instance& instance = state.cluster.instance(request.instance);
  const bool drbd = instance.facts->disk_template == DiskTemplate::Drbd;
  if (request.required_nodes != 1) return "node count";
  if (instance.facts->disk_template == DiskTemplate::Plain || instance.facts->disk_template == DiskTemplate::File) {
    return "not mirrored";
  }
  const NodeIndex expected = drbd ? instance.secondary : instance.primary;
  if (request.from != Nodes{expected}) return "not on these nodes, but on " + text(expected);
  const EvacuationMode mode = drbd ? EvacuationMode::SecondaryOnly : EvacuationMode::PrimaryOnly;
  const auto outcomes = literal::evacuate(state.cluster, {{request.instance}, mode}, rules.force);
  if (const auto* failure = std::get_if<EvacuationFailure>(&outcomes[0].outcome)) return text(*failure);
  const Placement& after = std::get<Evacuated>(outcomes[0].outcome).after;
  return "to " + text(drbd ? after.secondary : after.primary);
}

std::string answer(State& state, const EvacuationRequest& request, const AllocationRules& rules) {
  return text(literal::evacuate(state.cluster, request, rules.force));
}

std::string answer(State& state, const GroupChangeRequest& request, const AllocationRules& rules) {
  return text(literal::change_groups(state.cluster, request, rules));
}

}  // namespace literal

}  // namespace htools::testing
