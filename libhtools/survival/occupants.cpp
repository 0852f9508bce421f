#include "survival/occupants.h"

#include <algorithm>

#include "rules/admission.h"
#include "rules/rule_check.h"

namespace htools {

Occupants::Occupants(const Cluster& cluster, NodeIndex node) {
  const auto& primaries = cluster.node(node).primaries;
  for (auto it = primaries.rbegin(); it != primaries.rend(); ++it) {
    if (is_bound(cluster, *it)) continue;
    are_ruled |= cluster.rule_book && !cluster.rule_book->binding(*it).empty();
    const DiskTemplateFacts& f = facts(cluster.instance(*it).facts->disk_template);
    (f.has_secondary ? drbd : f.freely_movable ? movable : fixed).push_back(*it);
  }
  std::stable_sort(fixed.begin(), fixed.end(), [&](InstanceIndex a, InstanceIndex b) {
    return cluster.instance(a).facts->memory > cluster.instance(b).facts->memory;
  });

  const InstancePolicy& policy = cluster.group(cluster.node(node).facts->group).policy;
  for (const auto* list : {&movable, &fixed}) {
    for (InstanceIndex i : *list) {
      const Instance& instance = cluster.instance(i);
      elsewhere |= instance.primary != node;
      FitItem item{.demand = Demand(instance)};
      item.migrates = list == &movable;
      if (!item.migrates) {
        for (bool exclusive : {false, true}) item.allowed[exclusive] = !check_policy(instance, policy, exclusive);
      }
      if (!items.empty() && items.back().item == item) {
        ++items.back().count;
      } else {
        items.push_back({item});
      }
    }
  }
}

KnownOccupants::KnownOccupants(const Trial& trial) : trial_(trial), entries_(trial.cluster().nodes.size()) {}

const Occupants& KnownOccupants::of(NodeIndex node) {
  std::unique_ptr<const Entry>& entry = entries_[node.position()];
  const std::uint64_t node_revision = trial_.revision(node), instances_revision = trial_.instances_revision();
  if (!entry || entry->node_revision != node_revision || entry->instances_revision != instances_revision) {
    entry = std::make_unique<const Entry>(Entry{node_revision, instances_revision, {trial_.cluster(), node}});
  }
  return entry->occupants;
}

}  // namespace htools
