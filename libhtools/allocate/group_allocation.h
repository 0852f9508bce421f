// The choice of a node group for a new instance.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// What places are judged by: the score of the nodes, or on exclusive storage the lost allocations.
enum class Judge : std::uint8_t { Score, LostAllocations };

// Tries every group that has nodes among `nodes` (ascending), all of which count in the scores. The group is chosen by
// its allocation policy, then by the score of its best place; equal: the last. Unallocable groups are only tried.
// `targets`: the only groups to look at, if given.
AllocationAnswer allocate_anywhere(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::optional<std::vector<GroupIndex>>& targets = std::nullopt);

// Tries the one group, as if its nodes were the whole cluster, whatever its allocation policy.
AllocationAnswer allocate_in_group(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   std::string_view group);

// The nodes of a group among `nodes`.
std::vector<NodeIndex> nodes_of_group(const Cluster& cluster, const std::vector<NodeIndex>& nodes, GroupIndex group);

}  // namespace htools
