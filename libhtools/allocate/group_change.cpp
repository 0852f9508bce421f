#include "allocate/group_change.h"

#include <algorithm>
#include <utility>

#include "allocate/group_allocation.h"
#include "cluster/members.h"

namespace htools {

namespace {

// Returns the groups that the request names, or all groups if it names none, without the groups that an instance is to
// leave.
std::vector<GroupIndex> target_groups(const Cluster& cluster, const GroupChangeRequest& request) {
  std::vector<GroupIndex> targets = request.targets;
  if (targets.empty()) {
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) targets.push_back(GroupIndex(g));
  }
  for (InstanceIndex i : request.instances) {
    std::erase(targets, cluster.node(cluster.instance(i).primary).facts->group);
  }
  return targets;
}

std::variant<Evacuated, EvacuationFailure> change_group(Trial& trial, InstanceIndex index, const Instance& original,
                                                        const std::vector<NodeIndex>& all_nodes,
                                                        const std::vector<GroupIndex>& targets,
                                                        const AllocationRules& rules) {
  const Cluster& cluster = trial.cluster();
  Instance newcomer = original;
  newcomer.primary = newcomer.secondary = NodeIndex::none();
  if (newcomer.facts->has_secondary())
    // Placing it on a pair of nodes sets a new score, placing it on a single node does not.
    newcomer.location_score = 0;
  const std::int64_t required_nodes = newcomer.facts->has_secondary() ? 2 : 1;
  AllocationAnswer answer =
      allocate_anywhere(trial, all_nodes, {std::move(newcomer), index}, required_nodes, rules, Judge::Score, targets);
  if (answer.trials.empty() && answer.unconnected.empty()) return EvacuationFailure{NoTargetGroup{targets}};
  if (!answer.selected) return EvacuationFailure{GroupsRefused{std::move(answer)}};
  const GroupIndex group = answer.trials[*answer.selected].group;
  std::vector<NodeIndex> receiving;
  for (NodeIndex n : nodes_of_group(cluster, all_nodes, group)) {
    if (receives(cluster.node(n))) receiving.push_back(n);
  }
  return evacuate_instance(trial, index, original, EvacuationMode::All, receiving, group, false);
}

}  // namespace

std::vector<InstanceOutcome> change_groups(Trial& trial, const GroupChangeRequest& request,
                                           const AllocationRules& rules) {
  const std::vector<GroupIndex> targets = target_groups(trial.cluster(), request);
  const std::vector<NodeIndex> all_nodes = all_members(trial.cluster()).nodes;
  return for_each_original(trial.cluster(), request.instances, [&](InstanceIndex i, const Instance& original) {
    return change_group(trial, i, original, all_nodes, targets, rules);
  });
}

}  // namespace htools
