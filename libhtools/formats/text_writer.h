// Writes the text form of a cluster: its present state, in the form that read_text_cluster() (text_reader.h) reads.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "cluster/members.h"

namespace htools {

// Returns the groups, nodes, instances, cluster tags and policies, one line each, in blocks that an empty line
// separates. All optional fields are written. The cluster must be prepared: the free disk and spindles of a node come
// from its books, but its free memory is the amount reported when the cluster was loaded. Fractions of the totals of
// memory, disk and cpus are lost.
//
// Throws InputError if a name, a UUID, a tag or a network could not be read back: "NAME" cannot be saved: ...
std::string write_text_cluster(const Cluster& cluster);

// Returns the same with only the nodes and instances in `members`, but all groups, tags and policies. A secondary node
// that is not among the nodes is named nevertheless.
std::string write_text_cluster(const Cluster& cluster, const GroupMembers& members);

}  // namespace htools
