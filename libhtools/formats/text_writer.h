// The text form of a cluster, out: the state as it is now, in the form that read_text_cluster() (text_reader.h) reads.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace htools {

// The groups, nodes, instances, cluster tags and policies, one line each, blocks separated by an empty line. All
// optional fields are written. The cluster is prepared: free disk and spindles of a node come from its books, its
// free memory is as reported at loading. Fractions
// of memory, disk and cpu totals are lost.
std::string write_text_cluster(const Cluster& cluster);

}  // namespace htools
