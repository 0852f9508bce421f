// Tells which instances have lost their data, and which have one copy of it only.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// True if all nodes that have data of the instance are down.
bool has_lost_data(const Cluster& cluster, const Instance& instance);

// The same for an instance on these nodes; the secondary is none if it has none.
bool has_lost_data(const Cluster& cluster, const InstanceFacts& instance, NodeIndex primary, NodeIndex secondary);

// Returns the instances of these node groups that have lost their data, in index order.
std::vector<InstanceIndex> instances_with_lost_data(const Cluster& cluster, const std::vector<GroupIndex>& groups);

// Returns the instances of these node groups whose data is on a local disk of one node alone, which is not down, in
// index order.
std::vector<InstanceIndex> instances_with_one_copy(const Cluster& cluster, const std::vector<GroupIndex>& groups);

}  // namespace htools
