// Selects the part of a cluster that a computation works on: one node group, or all nodes.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// A set of nodes, usually those of a group, and the instances on them.
struct GroupMembers {
  std::vector<NodeIndex> nodes;          // in index order
  std::vector<InstanceIndex> instances;  // those whose primary is one of the nodes, in index order
};

// Returns the nodes of a group and their primary instances.
GroupMembers members_of(const Cluster& cluster, GroupIndex group);
// Returns all nodes and instances.
GroupMembers all_members(const Cluster& cluster);
// Returns the members of every group, in index order. A group without nodes has no members.
std::vector<GroupMembers> members_by_group(const Cluster& cluster);

}  // namespace htools
