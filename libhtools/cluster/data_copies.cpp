#include "cluster/data_copies.h"

#include <algorithm>

#include "cluster/disk_template.h"

namespace htools {
namespace {

// Returns the instances of the groups for which the predicate holds.
template <class Predicate>
std::vector<InstanceIndex> instances_where(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                           Predicate predicate) {
  std::vector<InstanceIndex> found;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (instance.primary.is_none()) continue;
    const GroupIndex group = cluster.node(instance.primary).facts->group;
    if (std::ranges::find(groups, group) != groups.end() && predicate(instance)) found.emplace_back(i);
  }
  return found;
}

}  // namespace

bool has_lost_data(const Cluster& cluster, const Instance& instance) {
  return has_lost_data(cluster, *instance.facts, instance.primary, instance.secondary);
}

bool has_lost_data(const Cluster& cluster, const InstanceFacts& instance, NodeIndex primary, NodeIndex secondary) {
  if (primary.is_none() || !is_down(cluster.node(primary))) return false;
  switch (facts(instance.disk_template).mirror) {
    case MirrorType::External:
      return false;
    case MirrorType::None:
      return true;
    case MirrorType::Internal:
      return secondary.is_none() || is_down(cluster.node(secondary));
  }
  return false;
}

std::vector<InstanceIndex> instances_with_lost_data(const Cluster& cluster, const std::vector<GroupIndex>& groups) {
  return instances_where(cluster, groups, [&](const Instance& instance) { return has_lost_data(cluster, instance); });
}

std::vector<InstanceIndex> instances_with_one_copy(const Cluster& cluster, const std::vector<GroupIndex>& groups) {
  return instances_where(cluster, groups, [&](const Instance& instance) {
    return instance.facts->moves_with_disks() && !is_down(cluster.node(instance.primary));
  });
}

}  // namespace htools
