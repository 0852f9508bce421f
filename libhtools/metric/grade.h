// Grades how evenly a set of nodes is used.
#pragma once

#include <cstdint>

#include "metric/statistics.h"

namespace htools {

// Returns the grade, from 0 to 100: 100 * (1 - D / Dmax), rounded down. D is the sum of the standard deviations of the
// used fractions of memory, disk and cpus over the online nodes; Dmax is the same with all of the load on one node. 100
// means even. Nodes without load, and sets of less than two online nodes, are even. Of the cpus, the used fraction is
// that of the virtual cpus that the node may carry.
std::int64_t grade_of(const NodeRefs& nodes);

}  // namespace htools
