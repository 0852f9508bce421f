// Finds node groups by the names that people type, and by their content.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Returns the group whose name or UUID is `id`, or nothing unless there is exactly one.
std::optional<GroupIndex> find_group(const Cluster& cluster, std::string_view id);

// Returns the groups that have nodes, in index order.
std::vector<GroupIndex> groups_with_nodes(const Cluster& cluster);

// Returns the instances whose two nodes are in different groups, in index order. They cannot be balanced.
std::vector<InstanceIndex> split_instances(const Cluster& cluster);

}  // namespace htools
