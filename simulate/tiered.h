// Allocates instances of a large size until no more fit, then of smaller and smaller sizes.
#pragma once

#include <cstdint>
#include <optional>

#include "htools/refusal.h"
#include "simulate/simulation.h"

namespace htools {

// Adds instances, starting with `size`. At every size, the most frequent reason of failure determines which resource to
// shrink next (shrink.h). If this finds nothing more, the sizes tried are revisited, the smallest first, and only one
// of the resources is shrunk.
//
// At every size, `limit` is compared with the number of all instances added so far, and reduced by it. Returns the
// failures of the last placement.
FailCounts allocate_tiered(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                           const SimulationRules& rules);

}  // namespace htools
