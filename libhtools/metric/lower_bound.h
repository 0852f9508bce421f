// Computes the part of the score that no placement can avoid.
#pragma once

#include "metric/statistics.h"

namespace htools {

// Returns the part of the score that remains even if the reserved memory is spread in the best way: 0.25 * (D / (M - m)
// - D / M), where D is the sum of all reservations, M the total memory of the nodes and m the memory of the largest
// node. The difference compares D spread over all nodes but the largest with D spread over all nodes; 0.25 is the
// weight of the component reserved_mem_rtotal. Returns 0 for a single node. Offline nodes count, too.
double reservation_lower_bound(const NodeRefs& nodes);

}  // namespace htools
