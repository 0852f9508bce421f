// Chooses a node group for a new instance.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// The measure by which places are judged: the score of the nodes, or the lost allocations with exclusive storage.
enum class Judge : std::uint8_t { Score, LostAllocations };

// Tries every group that has nodes among `nodes` (ascending), all of which count in the scores. Chooses the group by
// its allocation policy, then by the score of its best place; among equal ones, the last group wins. Unallocable groups
// are tried, but never chosen. If `targets` is set, tries only these groups.
AllocationAnswer allocate_anywhere(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::optional<std::vector<GroupIndex>>& targets = std::nullopt);

// Tries only the group with this name or UUID, as if its nodes were the whole cluster and regardless of its allocation
// policy.
AllocationAnswer allocate_in_group(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   std::string_view group);

// Returns those of `nodes` that belong to the group.
std::vector<NodeIndex> nodes_of_group(const Cluster& cluster, const std::vector<NodeIndex>& nodes, GroupIndex group);

}  // namespace htools
