// Finds what makes the answer to a question about capacity probably not the one that was wanted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/capacity.h"

namespace htools {

// Returns a warning if the instances will have no disks only because the policy lists that template first; otherwise an
// empty text.
std::string default_template_warning(const CapacityOptions& options);

// Returns a warning with the limit if no node group accepts instances of this size; otherwise an empty text. `title`
// names the size: "standard", "tiered".
std::string size_warning(const Cluster& cluster, const SimulatedKind& kind, const SimulatedSize& size,
                         std::string_view title);

// Returns a warning if nothing is placed although only some of the node groups are not N+1 safe; otherwise an empty
// text. Looks at each group, so call it only if nothing was placed.
std::string group_warning(const Cluster& cluster, const CapacityOptions& options);

}  // namespace htools
