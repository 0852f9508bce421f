// Bounds how few nodes can hold the instances that are there.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"

namespace htools {

// Returns a number of nodes that is never too large for what the group must keep: fewer nodes cannot hold the instances
// that are there and, with capacity checks, lose one node.
std::int64_t nodes_that_must_stay(const Cluster& cluster, GroupIndex group, bool capacity_checks);

}  // namespace htools
