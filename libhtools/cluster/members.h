// The part of a cluster that balancing looks at: one node group.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

struct GroupMembers {
  std::vector<NodeIndex> nodes;          // in index order
  std::vector<InstanceIndex> instances;  // those whose primary is one of the nodes, in index order
};

GroupMembers members_of(const Cluster& cluster, GroupIndex group);

}  // namespace htools
