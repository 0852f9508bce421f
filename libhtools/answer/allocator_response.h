// What an instance allocator answers.
#pragma once

#include <string>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// {"success":true,"info":"Request successful: ...","result":...}, without a line feed. `cluster` may be in the state
// before or after the request: it says how things are called.
std::string format_response(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result);

}  // namespace htools
