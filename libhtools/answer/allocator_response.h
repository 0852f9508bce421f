// Formats the response of an instance allocator.
#pragma once

#include <string>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// Returns the response as JSON without a line feed: {"success":true,"info":"Request successful: ...","result":...}.
// `cluster` provides the names and may be in the state before or after the request. `result` must belong to `request`.
std::string format_response(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result);

}  // namespace htools
