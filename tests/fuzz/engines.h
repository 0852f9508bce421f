// Everything that the tools do with a cluster that was read.
#pragma once

#include <cstddef>

#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools::testing {

// Prepares the cluster, saves it, and works on it with one of the engines: all of them would make each input slow. What
// is too large for the time that one input may take is only prepared and saved. Throws InputError.
void exercise(Cluster cluster, std::size_t engine);

// Prepares the cluster, saves it, and answers an allocator's request about it.
void exercise_request(Cluster cluster, const AllocatorRequest& request);

}  // namespace htools::testing
