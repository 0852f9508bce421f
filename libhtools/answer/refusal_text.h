// Explains in sentences why nodes were refused. htools/refusal.h declares the text of one refusal.
#pragma once

#include <string>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// Returns one paragraph per instance and group: a heading, and one line per refusal ("  node a1 as primary: FailMem:
// needs 7500 MiB of memory, 7168 MiB are free"). Empty if nothing was refused. The refusals of allocations are known
// only if the rules had `explain` set.
std::string format_refusals(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result);

}  // namespace htools
