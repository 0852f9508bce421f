// The cluster score, component by component.
#pragma once

#include <string>

#include "metric/statistics.h"

namespace htools {

// A table of name, value and weight of all components, in the order in which they are summed. Only the header when
// there are no components, as on a cluster without online nodes.
std::string format_coefficients(const Statistics& statistics);

}  // namespace htools
