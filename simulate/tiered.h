// Tiered allocation: instances of a large size until no more fit, then of smaller and smaller sizes.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/fail_mode.h"
#include "simulate/simulation.h"

namespace htools {

// Adds instances, starting with `size`. At every size the most frequent reason of failure tells what to shrink next
// (shrink.h). If that way nothing more is found, the sizes tried are revisited, smallest first, shrinking only one of
// the resources.
//
// `limit` is compared with, and reduced by, the number of all instances added so far at every size. Returns the
// failures of the last placement of the result.
FailCounts allocate_tiered(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                           const SimulationRules& rules);

}  // namespace htools
