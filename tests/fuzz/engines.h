// Runs the engines of the tools on a cluster that was read from fuzzed input.
#pragma once

#include <cstddef>

#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools::testing {

// Prepares the cluster, saves it, and runs one of the engines on it; running all of them would make each input slow.
// `engine` may be any number. Clusters that are too large for the time limit of an input are only prepared and saved.
// Throws InputError.
void exercise(Cluster cluster, std::size_t engine);

// Prepares the cluster, saves it, and answers the allocator's request about it. Throws InputError.
void exercise_request(Cluster cluster, const AllocatorRequest& request);

}  // namespace htools::testing
