// Finds node groups by the names that people type, and by their content. htools/cluster.h declares find_group() and
// groups_with_nodes().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/cluster.h"

namespace htools {

// Returns the name by which find_group() finds the group: its own, or its UUID if other groups have the same name.
// Throws InputError if there is no such name.
const std::string& unique_name(const Cluster& cluster, GroupIndex group);

// Returns "Did you mean NAME?" for a group whose name resembles `typed`; empty if there is none.
std::string suggest_group(const Cluster& cluster, std::string_view typed);

// Returns a sentence that helps to choose a group: the UUIDs if several have that name, a suggestion or, if no name
// resembles `typed`, the names of the first groups.
std::string advice_on_group(const Cluster& cluster, std::string_view typed);

// Returns the instances whose two nodes are in different groups, in index order. They cannot be balanced.
std::vector<InstanceIndex> split_instances(const Cluster& cluster);

}  // namespace htools
