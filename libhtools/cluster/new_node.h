// Nodes that are added to a cluster.
#pragma once

#include "cluster/cluster.h"
#include "htools/policy.h"

namespace htools {

// Returns the facts of an empty node of this size for a group, without a name. It has exclusive storage if all nodes of
// the group have it, of which there is at least one.
NodeFacts facts_of_new_node(const Cluster& cluster, GroupIndex group, const InstanceSpec& size);

}  // namespace htools
