// Makes random input for allocations, and describes the results in words.
#pragma once

#include <cstdint>
#include <string>

#include "allocate/allocation.h"
#include "tests/support/random_cluster.h"

namespace htools::testing {

// ---- Results in words

inline std::string text(NodeIndex n) { return n.is_none() ? "-" : std::to_string(n.position()); }
std::string text(const Placement& place);

std::string text(const AllocationScore& score);

std::string text(const Allocation& allocation);

std::string text(GroupProblem problem);

std::string text(const AllocationAnswer& answer);

// ---- Random input

// Returns a network interface of which only the network is known.
Nic nic_on(const std::string& network);

// Returns a cluster that is about as full as one lost node permits, so that the capacity check passes in some cases and
// fails in others. `exclusive` is the percentage of nodes with exclusive storage.
Cluster random_allocation_cluster(Random& random, std::int64_t exclusive);

Instance random_newcomer(Random& random, const Cluster& cluster, std::int64_t required_nodes);

Arrival as_arrival(const Cluster& cluster, const Instance& instance);

}  // namespace htools::testing
