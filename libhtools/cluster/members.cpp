#include "cluster/members.h"

namespace htools {

GroupMembers members_of(const Cluster& cluster, GroupIndex group) {
  GroupMembers members;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (cluster.nodes[n].group == group) members.nodes.push_back(NodeIndex(n));
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (cluster.node(cluster.instances[i].primary).group == group) members.instances.push_back(InstanceIndex(i));
  }
  return members;
}

}  // namespace htools
