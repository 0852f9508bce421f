// Shortens names that most, but not all names of a cluster share a domain with.
#pragma once

#include "cluster/cluster.h"

namespace htools {

// Takes the domain off the aliases of a prepared cluster in which at least nine of ten names of nodes and instances
// have the same domain. prepare() takes off only what all names share, as the reference does; then one new node without
// a domain would make all names long. A name keeps its domain if another one is equal without it.
void shorten_most_names(Cluster& cluster);

}  // namespace htools
