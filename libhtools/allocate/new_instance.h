// Turns an instance that does not exist yet into a request for a place.
#pragma once

#include <optional>

#include "allocate/request.h"
#include "cluster/cluster.h"
#include "htools/allocate.h"

namespace htools {

// Returns the request for a place for the instance, in any group or in this one. The cluster must be prepared: its tags
// select the tags of the instance that count. If its source has loads, the instance has none; else 1 of each.
AllocationRequest request_place(const Cluster& cluster, const NewInstance& instance,
                                std::optional<GroupIndex> group = std::nullopt);

}  // namespace htools
