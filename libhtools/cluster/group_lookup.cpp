#include "cluster/group_lookup.h"

#include <cstddef>

namespace htools {

std::optional<GroupIndex> find_group(const Cluster& cluster, std::string_view id) {
  std::optional<GroupIndex> found;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    if (cluster.groups[g].name != id && cluster.groups[g].uuid != id) continue;
    if (found) return std::nullopt;
    found = GroupIndex(g);
  }
  return found;
}

std::vector<GroupIndex> groups_with_nodes(const Cluster& cluster) {
  std::vector<bool> has_nodes(cluster.groups.size(), false);
  for (const Node& node : cluster.nodes) has_nodes[node.facts->group.position()] = true;
  std::vector<GroupIndex> groups;
  for (std::size_t g = 0; g < has_nodes.size(); ++g) {
    if (has_nodes[g]) groups.push_back(GroupIndex(g));
  }
  return groups;
}

std::vector<InstanceIndex> split_instances(const Cluster& cluster) {
  std::vector<InstanceIndex> split;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (instance.secondary.is_none()) continue;
    if (cluster.node(instance.primary).facts->group != cluster.node(instance.secondary).facts->group) {
      split.push_back(InstanceIndex(i));
    }
  }
  return split;
}

}  // namespace htools
