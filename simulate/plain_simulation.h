// Allocates instances as the rules are written, for programs without shortcuts (base/literal.h): each instance tries
// each place, whose score is evaluated in full, and nothing is known from the places before.
#pragma once

#include <cstdint>
#include <optional>

#include "htools/refusal.h"
#include "simulate/simulation.h"

namespace htools {

// Do what allocate_fixed_size() and allocate_tiered() do. plain_fixed_size() takes an instance with memory, if capacity
// checks are on.
FailCounts plain_fixed_size(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                            const SimulationRules& rules);
FailCounts plain_tiered(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                        const SimulationRules& rules);

}  // namespace htools
