// Plans how to save power: finds the nodes that can be switched off, or that must be switched on, so that every node
// still has room for some more load.
#pragma once

#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/maintain.h"

namespace htools {

// The prefix of the tags that mark a node as switched off, by this tool or by an administrator.
inline constexpr std::string_view kStandbyTagPrefix = "htools:standby:";
// The tag that this tool gives to the nodes that it switches off.
inline constexpr std::string_view kStandbyTag = "htools:standby:auto";

// Returns the online nodes that can be switched off once their instances have moved: not the master, without secondary
// instances, and without primary instances on local disks. Nodes with more primary instances come first.
std::vector<NodeIndex> offline_candidates(const Cluster& cluster);
// Returns the offline nodes with a standby tag, in index order.
std::vector<NodeIndex> online_candidates(const Cluster& cluster);

}  // namespace htools
