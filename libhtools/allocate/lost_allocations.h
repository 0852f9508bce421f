// Allocation on exclusive storage, where instances come in a few sizes: keep as much room as possible for the large
// ones.
//
// The allocation vector of a node says how many instances of each size it still takes, largest first. A placement costs
// what the vectors of its nodes lose; of equal losses the one that leaves less disk is better (it fills nodes up).
#pragma once

#include <cstdint>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// For each interval of the policy, those with the largest minimum disk size first: how often an instance of the
// interval's minimum sizes (plain, without disks of its own) can be added to the node, one after the other. Throws
// InputError if that never ends.
std::vector<std::int64_t> allocation_vector(const Node& node, const InstancePolicy& policy);

// Like try_nodes() and try_pairs(), judged by the lost allocations; there is no capacity check. Equal: the last.
Allocation try_nodes_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules);
Allocation try_pairs_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules);

}  // namespace htools
