#include "cluster/members.h"

namespace htools {

GroupMembers members_of(const Cluster& cluster, GroupIndex group) {
  GroupMembers members;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (cluster.nodes[n].facts->group == group) members.nodes.push_back(NodeIndex(n));
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (cluster.node(cluster.instances[i].primary).facts->group == group) members.instances.push_back(InstanceIndex(i));
  }
  return members;
}

GroupMembers all_members(const Cluster& cluster) {
  GroupMembers all;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) all.nodes.push_back(NodeIndex(n));
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) all.instances.push_back(InstanceIndex(i));
  return all;
}

std::vector<GroupMembers> members_by_group(const Cluster& cluster) {
  std::vector<GroupMembers> members(cluster.groups.size());
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    members[cluster.nodes[n].facts->group.position()].nodes.push_back(NodeIndex(n));
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    members[cluster.node(cluster.instances[i].primary).facts->group.position()].instances.push_back(InstanceIndex(i));
  }
  return members;
}

}  // namespace htools
