// Everything that the tools do with a cluster that was read.
#pragma once

#include "cluster/cluster.h"
#include "placement/request.h"

namespace htools::testing {

// Prepares the cluster, saves it, and works on it with every engine. What is too large for the time that one input may
// take is only prepared and saved. Engines may refuse it (InputError), each for itself.
void exercise(Cluster cluster);

// Answers an allocator's request about the cluster.
void exercise_request(Cluster cluster, const AllocatorRequest& request);

}  // namespace htools::testing
