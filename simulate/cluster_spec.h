// Clusters that exist on paper only, from one short specification per node group.
//
//   policy,nodes,disk,memory,cpus[,spindles[,exclusive storage]]        e.g. "p,20,2t,64g,16"
//
// The allocation policy is a name, or its first letter ('a' for last_resort); disk and memory are sizes
// (base/size_units.h); exclusive storage is True or False. All nodes of a group are alike and empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Most nodes in a simulated cluster.
inline constexpr std::int64_t kMostSimulatedNodes = 10'000'000;

// Specifications are in the order of the command line and are taken from the last to the first: the last one is
// group 1. Groups and nodes are numbered from 1. The cluster has facts only (see cluster/prepare.h). Throws InputError
// for the first specification, in that order, that cannot be accepted; where() says which specification and which of
// its fields.
Cluster simulated_cluster(const std::vector<std::string>& specs);

}  // namespace htools
