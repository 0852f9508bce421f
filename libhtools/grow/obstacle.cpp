#include "grow/obstacle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/group_allocation.h"
#include "grow/node_room.h"
#include "placement/candidates.h"
#include "placement/failure_counts.h"
#include "rules/admission.h"
#include "rules/refusal.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

namespace {

// Returns the room of the node for the resource.
double room_of(const NodeRoom& room, GrowthResource resource) {
  switch (resource) {
    case GrowthResource::Disk:
      return static_cast<double>(std::max<std::int64_t>(0, room.disk));
    case GrowthResource::Cpus:
      return static_cast<double>(std::max<std::int64_t>(0, room.vcpus));
    default:
      return static_cast<double>(std::max<std::int64_t>(0, room.memory));
  }
}

// Returns the resources that the instance finds too little of on some node that could take instances. Memory that nodes
// reserve for failovers counts as taken, so where memory lacks, memory for N+1 does, too.
std::array<bool, kGrowthResourceCount> lacking_resources(const Cluster& state, const Instance& instance) {
  const InstanceFacts& f = *instance.facts;
  bool memory = false, disk = false, vcpus = false;
  for (const Node& node : state.nodes) {
    if (!receives(node) || !state.group(node.facts->group).is_allocable()) continue;
    const NodeRoom room(node);
    memory = memory || f.memory > room.memory;
    disk = disk || (f.uses_local_storage() && f.disk > room.disk);
    vcpus = vcpus || f.vcpus > room.vcpus;
  }
  return {memory, memory, disk, vcpus};
}

// Describes the lack of large enough pieces of the resource.
void describe_pieces(const Cluster& state, const Instance& instance, GrowthResource resource, Obstacle& obstacle) {
  obstacle.resource = resource;
  const InstanceFacts& f = *instance.facts;
  obstacle.needed = static_cast<double>(resource == GrowthResource::Disk   ? f.disk
                                        : resource == GrowthResource::Cpus ? f.vcpus
                                                                           : f.memory);
  double sum = 0.0, largest = 0.0;
  for (const Node& node : state.nodes) {
    if (!receives(node) || !state.group(node.facts->group).is_allocable()) continue;
    const double room = room_of(NodeRoom(node), resource);
    sum += room;
    largest = std::max(largest, room);
  }
  obstacle.free = sum;
  obstacle.largest_piece = largest;
}

// Returns who would find no place after the loss of a node if the instance went where the allocator would like it best.
std::optional<Homeless> homeless_with(Trial& trial, const Instance& instance) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < trial.cluster().nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  AllocationRules rules;
  rules.capacity_checks = false;
  const Arrival arrival{instance, InstanceIndex(trial.cluster().instances.size())};
  const int required_nodes = instance.facts->has_secondary() ? 2 : 1;
  const AllocationAnswer answer = allocate_anywhere(trial, nodes, arrival, required_nodes, rules, Judge::Score);
  if (answer.choice() == nullptr) return std::nullopt;
  const Attempt attempt(trial);
  carry_out(trial, arrival, answer.choice()->placement, arrival.index);
  auto homeless = CapacityCheck(trial, nodes, {}).first_homeless();
  if (homeless && homeless->instance == arrival.index) homeless->instance = InstanceIndex::none();
  return homeless;
}

// Returns the first refusal if every node that could take instances refuses this size by policy.
std::optional<Refusal> policy_refusal(const Cluster& cluster, const Instance& instance) {
  std::vector<NodeIndex> refusing;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    const Group& group = cluster.group(node.facts->group);
    if (!receives(node) || !group.is_allocable()) continue;
    if (!check_policy(instance, group.policy, node.facts->exclusive_storage)) return std::nullopt;
    refusing.emplace_back(n);
  }
  if (refusing.empty()) return std::nullopt;
  return refusals_of_nodes(cluster, {refusing.front()}, instance, false).front();
}

// Returns why each node that receives instances refuses the instance that does so.
std::vector<Refusal> refusals_of_online(const Cluster& cluster, const Instance& instance) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (receives(cluster.nodes[n])) nodes.push_back(NodeIndex(n));
  }
  return refusals_of_nodes(cluster, nodes, instance, false);
}

// Returns a refusal for another reason than memory, disk or CPUs; nothing if there is none.
std::optional<Refusal> refusal_by_rule(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const auto* shortage = std::get_if<Shortage>(&refusal.reason);
    if (shortage == nullptr) continue;
    const bool is_rule = shortage->mode == FailMode::Tags || shortage->mode == FailMode::Spindles ||
                         shortage->limit == AdmissionLimit::SpindleRatio;
    if (is_rule) return refusal;
  }
  return std::nullopt;
}

// Describes the lack of large enough pieces of some resource or, if there are such pieces of each, of nodes that have
// them all.
void describe_fragmentation(const Cluster& state, const Instance& instance, Obstacle& obstacle) {
  obstacle.kind = ObstacleKind::Fragmentation;
  for (const auto resource : {GrowthResource::Memory, GrowthResource::Disk, GrowthResource::Cpus}) {
    if (resource == GrowthResource::Disk && !instance.facts->uses_local_storage()) continue;
    describe_pieces(state, instance, resource, obstacle);
    if (*obstacle.largest_piece < *obstacle.needed) return;
  }
  obstacle.resource.reset();
  obstacle.needed.reset();
  obstacle.free.reset();
  obstacle.largest_piece.reset();
}

}  // namespace

std::optional<GrowthResource> scarce_resource(const Cluster& state, const Instance& instance) {
  if (policy_refusal(state, instance)) return std::nullopt;
  std::vector<bool> allocable;
  for (const Group& group : state.groups) allocable.push_back(group.is_allocable());
  const Candidates candidates = find_candidates(state, allocable, instance.facts->disk_template);
  const OutcomeCounts outcomes = count_outcomes(state, candidates, instance);
  if (outcomes.successes > 0) return GrowthResource::Survival;
  constexpr std::array kModes{std::pair{FailMode::Memory, GrowthResource::Memory},
                              std::pair{FailMode::Disk, GrowthResource::Disk},
                              std::pair{FailMode::Cpu, GrowthResource::Cpus}};
  std::optional<GrowthResource> scarce;
  std::int64_t most = 0;
  for (const auto& [mode, resource] : kModes) {
    if (outcomes.failures[mode] > most) most = outcomes.failures[mode], scarce = resource;
  }
  return scarce;
}

Obstacle unsafe_obstacle(const Refusal& refusal) {
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::Survival;
  obstacle.refusal = refusal;
  return obstacle;
}

Obstacle find_obstacle(const Cluster& part, const Workload& workload, const Placed& placed,
                       const ResourceAmounts& needed, const ResourceSupply& free) {
  const std::size_t first = *placed.first_refused;
  const Instance& instance = workload.sizes[workload.order[first]].instance;
  Obstacle obstacle;
  obstacle.instance = size_text(instance);
  obstacle.placed_before = static_cast<std::int64_t>(first);
  if (const auto refusal = policy_refusal(part, instance)) {
    obstacle.kind = ObstacleKind::Rules;
    obstacle.refusal = refusal;
    return obstacle;
  }

  Trial trial(with_placed(part, workload.sizes, workload.order, placed, first));
  const Cluster& state = trial.cluster();
  const std::optional<GrowthResource> scarce = scarce_resource(state, instance);
  if (scarce == GrowthResource::Survival) {
    if (const auto homeless = homeless_with(trial, instance)) obstacle.refusal = Refusal{{}, *homeless};
  }

  // Of what the first instance found too little of, what is not there in sum is the obstacle; the scarcest decides.
  auto lacking = lacking_resources(state, instance);
  if (scarce == GrowthResource::Survival) lacking[static_cast<std::size_t>(GrowthResource::Survival)] = true;
  double worst = 1.0;
  for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
    if (!free[r] || !lacking[r] || needed[r] <= *free[r]) continue;
    const double lack = static_cast<double>(needed[r]) / std::max(1.0, static_cast<double>(*free[r]));
    if (obstacle.resource && lack <= worst) continue;
    worst = lack;
    obstacle.resource = static_cast<GrowthResource>(r);
    obstacle.kind = static_cast<ObstacleKind>(r);
    obstacle.needed = static_cast<double>(needed[r]);
    obstacle.free = static_cast<double>(*free[r]);
  }
  if (obstacle.resource) return obstacle;
  if (scarce == GrowthResource::Survival) {
    obstacle.kind = ObstacleKind::Survival;
    return obstacle;
  }
  const std::vector<Refusal> refusals = refusals_of_online(state, instance);
  std::optional<Refusal> by_rule = refusal_by_rule(refusals);
  if (!scarce && !by_rule && !refusals.empty()) by_rule = refusals.front();
  if (!scarce || by_rule) {
    obstacle.refusal = by_rule;
    return obstacle;
  }
  describe_fragmentation(state, instance, obstacle);
  return obstacle;
}

}  // namespace htools
