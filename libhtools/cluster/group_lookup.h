// Node groups of a cluster, as people ask for them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// The group whose name or UUID is `id`, if it is exactly one.
std::optional<GroupIndex> find_group(const Cluster& cluster, std::string_view id);

// The groups that have nodes, in index order.
std::vector<GroupIndex> groups_with_nodes(const Cluster& cluster);

// The instances whose two nodes are in different groups, in index order. They cannot be balanced.
std::vector<InstanceIndex> split_instances(const Cluster& cluster);

}  // namespace htools
