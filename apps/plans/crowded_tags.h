// Names exclusion tags that no plan can obey.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Returns a sentence for each exclusion tag that more instances of a node group have than the group has online nodes.
// `after` is the state after the plan.
std::vector<std::string> crowded_tag_remarks(const Cluster& after, const std::vector<GroupIndex>& groups);

}  // namespace htools
