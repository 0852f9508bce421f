// Allocates instances of one size until no more fit.
#pragma once

#include <cstdint>
#include <optional>

#include "htools/refusal.h"
#include "simulate/simulation.h"

namespace htools {

// Adds instances of the given size to the state, at most `limit`. With a limit of 0 nothing is added, but the failures
// are those of a placement; a negative limit is never reached, and makes every big step unlimited. Returns the failures
// of the last placement.
//
// With capacity checks, instances are placed in big steps without checks, and a step is kept if the cluster survives
// the loss of any node after it. The last instances are placed one by one, each with a check. (This differs from
// checking each instance: a kept step may pass through states that would have been refused.) Two-node instances are not
// checked. Throws InputError if capacity checks are on and an instance without memory fits, because the size of a big
// step depends on the memory.
//
// `hopeless` is the result of is_hopeless() for the state. If it is set, one-node instances are not tried in vain.
FailCounts allocate_fixed_size(SimulationState& state, const SimulatedSize& size, std::optional<std::int64_t> limit,
                               const SimulationRules& rules, bool hopeless);

// True if capacity checks are on and the cluster cannot lose some node, however many instances are added.
bool is_hopeless(SimulationState& state, const SimulationRules& rules);

// The result of find_survivable_place(): whether one more instance of the size has a place that leaves the cluster able
// to lose any node.
enum class SurvivablePlace : std::uint8_t {
  Exists,
  None,
  NoneForLarger,  // there is none, not even for a larger size that policies and nodes treat alike
};
// Tries all places that the admission checks allow for an instance of this size.
SurvivablePlace find_survivable_place(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules);

}  // namespace htools
