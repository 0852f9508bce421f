// Formats a cluster as one line of text.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace htools {

// Returns a prepared cluster, in which no instance has been moved, as a nested record without a line feed: "ClusterData
// {cdGroups = fromList [(0,Group {...})], cdNodes = ..., cdInstances = ..., cdTags = [], cdIPolicy = IPolicy {...}}".
std::string format_cluster(const Cluster& cluster);

}  // namespace htools
