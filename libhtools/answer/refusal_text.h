// Why nodes were refused, in sentences.
#pragma once

#include <string>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// One paragraph per instance and group: a heading, and one line per refusal ("  node a1 as primary: FailMem: needs 7500
// MiB of memory, 7168 MiB are free"). Empty if nothing was refused. Allocations are listed if their rules asked for it.
std::string format_refusals(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result);

}  // namespace htools
