// Says in which names and sizes two clusters differ.
#pragma once

#include <string>
#include <vector>

#include "cluster/sizes.h"

namespace htools {

// Returns sentences about the nodes and instances that are new, gone, or have another size now. Each names a few. The
// result is empty if nothing differs of what ClusterSizes has.
std::vector<std::string> size_differences(const ClusterSizes& before, const ClusterSizes& now);

}  // namespace htools
