// Finds node groups by the names that people type, and by their content. htools/cluster.h declares find_group() and
// groups_with_nodes().
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "htools/cluster.h"

namespace htools {

// Returns the instances whose two nodes are in different groups, in index order. They cannot be balanced.
std::vector<InstanceIndex> split_instances(const Cluster& cluster);

}  // namespace htools
