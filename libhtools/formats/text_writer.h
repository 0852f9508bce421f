// Writes the text form of a cluster: its present state, in the form that read_text_cluster() (text_reader.h) reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"

namespace htools {

// Returns the groups, nodes, instances, cluster tags and policies, one line each, in blocks that an empty line
// separates. All optional fields are written. The cluster must be prepared: free amounts come from the books of the
// nodes, so that reading the text leads to the same books (but see nodes_with_history()). Fractions of the totals of
// memory, disk and cpus are lost.
//
// Throws InputError if a name, a UUID, a tag or a network could not be read back: "NAME" cannot be saved: ...
std::string write_text_cluster(const Cluster& cluster);

// Returns the same with only the nodes and instances in `members`, but all groups, tags and policies. A secondary node
// that is not among the nodes is named nevertheless.
std::string write_text_cluster(const Cluster& cluster, const GroupMembers& members);

// Returns the free memory of each node, in MiB, that leads to its books when it is read: as much is missing as when the
// cluster was loaded. For a node that no instance has come to or left, it is the amount that was reported. What
// instances use follows from where they are. (The books say something else if a request has moved one instance twice at
// once.)
std::vector<std::int64_t> free_memory_of_nodes(const Cluster& cluster);

// Returns the nodes that are read back with another N+1 state than they have, because by the rules of Ganeti 3.0 that
// depends on the history: it compares the reserved memory with the reported free memory when a cluster is loaded, and
// with the unallocated memory once an instance has come or gone. By those of 3.1, there are none.
std::vector<NodeIndex> nodes_with_history(const Cluster& cluster);

}  // namespace htools
