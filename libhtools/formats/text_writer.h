// The text form of a cluster, out: the state as it is now, in the form that read_text_cluster() (text_reader.h) reads.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "cluster/members.h"

namespace htools {

// Throws InputError if a name, a UUID, a tag or a network could not be read back: "NAME" cannot be saved: ...
//
// The groups, nodes, instances, cluster tags and policies, one line each, blocks separated by an empty line. All
// optional fields are written. The cluster is prepared: free disk and spindles of a node come from its books, its
// free memory is as reported at loading. Fractions
// of memory, disk and cpu totals are lost.
std::string write_text_cluster(const Cluster& cluster);

// The same with only these nodes and instances, but all groups, tags and policies. A secondary node that is not among
// the nodes is named all the same.
std::string write_text_cluster(const Cluster& cluster, const GroupMembers& members);

}  // namespace htools
