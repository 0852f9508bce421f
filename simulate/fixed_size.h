// Fixed-size allocation: instances of one size, until no more fit.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/fail_mode.h"
#include "simulate/simulation.h"

namespace htools {

// Adds instances of the given size to the state: at most `limit` (with 0 nothing is added, but the statistics are
// those of a placement; a negative limit is never reached, but makes every big step one without end). Returns the
// failures of the last placement.
//
// With capacity checks, instances are placed in big steps without a check, and a step is kept if the cluster survives
// the loss of any node after it. The last ones are placed one by one, each checked. (Not the same as checking each one:
// a kept step may pass through states that would have been refused.) Two-node instances are not checked. Throws
// InputError when a big step is needed for instances without memory.
// `hopeless`: what is_hopeless() says of the state; then nothing is tried in vain (one-node instances only).
FailCounts allocate_fixed_size(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                               const SimulationRules& rules, bool hopeless);

// Capacity checks are on, and the cluster cannot lose some node however many instances are added.
bool is_hopeless(SimulationState& state, const SimulationRules& rules);

// Is there a place for one more instance of this size that leaves the cluster able to lose any node?
enum class SurvivablePlace : std::uint8_t {
  Exists,
  None,
  NoneForLarger,  // nor is there for a larger size that policies and nodes judge alike
};
SurvivablePlace find_survivable_place(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules);

}  // namespace htools
