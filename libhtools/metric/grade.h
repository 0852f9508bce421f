// Grades how evenly a set of nodes is used.
#pragma once

#include <cstdint>

#include "metric/statistics.h"

namespace htools {

// Returns the grade, from 0 to 100: 100 * (1 - D / Dmax), rounded down. D is the sum of the standard deviations of the
// used fractions of memory, disk and cpus over the online nodes; Dmax is the same with all of the load on one node. 100
// means even. Nodes without load, and sets of less than two online nodes, are even. Of the cpus, the used fraction is
// that of the virtual cpus that the policy lets the node carry, whatever limit the user sets: a limit does not change
// how even a cluster is.
std::int64_t grade_of(const NodeRefs& nodes);

// Below this grade, a set of nodes is used unevenly.
inline constexpr std::int64_t kUnevenBelow = 70;

// Returns over how many nodes the grade is: those that are online. A grade over less than two says nothing.
std::int64_t graded_nodes(const NodeRefs& nodes);

}  // namespace htools
