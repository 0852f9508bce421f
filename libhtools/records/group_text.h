// Formats a node group as one line of text.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "htools/index.h"

namespace htools {

// Returns the group as a nested record without a line feed: "Group {name = \"default\", ..., iPolicy = IPolicy {...},
// allTags = []}".
std::string format_group(const Cluster& cluster, GroupIndex index);

}  // namespace htools
