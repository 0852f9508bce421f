// Allocates on exclusive storage, where instances come in a few sizes. Keeps as much room as possible for the large
// ones.
//
// The allocation vector of a node says how many instances of each size still fit, largest size first. The cost of a
// placement is the decrease of the vectors of its nodes. Among equal decreases, the placement that leaves less disk is
// better, because it fills nodes up.
#pragma once

#include <cstdint>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// Returns, for each min-max interval of the policy, how many instances of the interval's minimum size fit on the node,
// one after the other. The intervals are in the order of descending minimum disk size. The instances have the template
// plain and no list of disks. Throws InputError if any number of them fits.
std::vector<std::int64_t> allocation_vector(const Node& node, const InstancePolicy& policy);

// Like try_nodes() and try_pairs(), but judge places by lost allocations and make no capacity check. Among equal
// losses, the last place wins.
Allocation try_nodes_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules);
Allocation try_pairs_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules);

}  // namespace htools
