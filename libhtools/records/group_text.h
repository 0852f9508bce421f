// A node group in one line.
#pragma once

#include <string>

#include "base/index.h"
#include "cluster/cluster.h"

namespace htools {

// The group as a nested record, "Group {name = \"default\", ..., iPolicy = IPolicy {...}, allTags = []}", without a
// line feed.
std::string format_group(const Cluster& cluster, GroupIndex index);

}  // namespace htools
