// Provides literal versions of the allocator's rules: the placement of one instance, the choice of a group, and lost
// allocations.
//
// They are slow and simple: every candidate is placed on copies of the cluster and scored from scratch, as in
// literal_placement.h. Tests compare the allocator with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocate/group_allocation.h"
#include "tests/support/literal_moves.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random_allocation.h"

namespace htools::testing::literal {

using Nodes = std::vector<NodeIndex>;

// The exception for a rule that looks up a node which is not among the nodes that count.
struct NodeMissing {};

NodeRefs references(const Cluster& cluster, const Nodes& nodes);

// ---- The capacity check

// Returns the state that the capacity check sees. A new instance is in the list of instances; an existing one is in it
// as it was before.
Cluster with_arrival(Cluster cluster, const Arrival& arrival, const Solution& place);

// ---- Placing one instance

Good capacity_check(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival, const AllocationRules& rules);

Allocation try_nodes(const Cluster& cluster, const Nodes& nodes, const Nodes& candidates, const Arrival& arrival,
                     const AllocationRules& rules);

Allocation try_pairs(const Cluster& cluster, const Nodes& nodes, const Nodes& primaries, const Nodes& secondaries,
                     const Arrival& arrival, const AllocationRules& rules);

// ---- Lost allocations

std::vector<std::int64_t> allocation_vector(const Node& node, const InstancePolicy& policy);

// Returns the lost allocations summed over some nodes, each given as a pair of its states before and after the change.
// The sizes are those of the policy of the first node's group.
LostAllocations loss(const Cluster& cluster, const std::vector<std::pair<const Node*, const Node*>>& changes);

Allocation try_by_loss(const Cluster& cluster, const Nodes& candidates, const Arrival& arrival,
                       std::int64_t required_nodes, const AllocationRules& rules);

// ---- The choice of a group

Nodes members(const Cluster& cluster, const Nodes& nodes, GroupIndex group);

AllocationAnswer allocate_anywhere(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::optional<std::vector<GroupIndex>>& targets = std::nullopt);

AllocationAnswer allocate_in_group(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::string& id);

}  // namespace htools::testing::literal
