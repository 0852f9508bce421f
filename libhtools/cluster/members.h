// The part of a cluster that a computation looks at: one node group, or all.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// What balancing looks at: a set of nodes, usually a group, and the instances on them.
struct GroupMembers {
  std::vector<NodeIndex> nodes;          // in index order
  std::vector<InstanceIndex> instances;  // those whose primary is one of the nodes, in index order
};

GroupMembers members_of(const Cluster& cluster, GroupIndex group);
GroupMembers all_members(const Cluster& cluster);
// By group; groups without nodes have no members.
std::vector<GroupMembers> members_by_group(const Cluster& cluster);

}  // namespace htools
