// The part of the score that no placement can avoid.
#pragma once

#include "metric/statistics.h"

namespace htools {

// Reserved memory has to be somewhere: with the total D of all reservations, total memory M and the largest node m, the
// weighted reserved-memory total exceeds its even spread by at least 0.25 * (D / (M - m) - D / M). 0 for one node.
// Offline nodes count, too.
double reservation_lower_bound(const NodeRefs& nodes);

}  // namespace htools
