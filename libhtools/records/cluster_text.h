// A cluster in one line.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace htools {

// A prepared cluster before any instance is moved, as a nested record: "ClusterData {cdGroups = fromList [(0,Group
// {...})], cdNodes = ..., cdInstances = ..., cdTags = [], cdIPolicy = IPolicy {...}}", without a line feed.
std::string format_cluster(const Cluster& cluster);

}  // namespace htools
