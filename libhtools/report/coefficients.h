// Formats the components of the cluster score.
#pragma once

#include <string>

#include "metric/statistics.h"

namespace htools {

// Returns a table with name, value and weight of all components, in the order in which they are summed. The table
// consists of its header only if there are no components, as on a cluster without online nodes.
std::string format_coefficients(const Statistics& statistics);

}  // namespace htools
