// Makes simulated clusters from short specifications, one for each node group.
//
//   policy,nodes,disk,memory,cpus[,spindles[,exclusive storage]]        e.g. "p,20,2t,64g,16"
//
// The allocation policy is a name or its first letter ('a' for last_resort). Disk and memory are sizes
// (base/size_units.h) per node. Exclusive storage is True or False. All nodes of a group are equal and empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// The largest number of nodes in a simulated cluster.
inline constexpr std::int64_t kMostSimulatedNodes = 10'000'000;

// Returns the cluster, with facts only (prepare() in cluster/prepare.h does the rest). Specifications are given in the
// order of the command line and taken from the last to the first: the last one becomes group 1. Groups and nodes are
// numbered from 1. Throws InputError for the first specification, in that order, that cannot be accepted; where() names
// the specification and the field.
Cluster simulated_cluster(const std::vector<std::string>& specs);

}  // namespace htools
