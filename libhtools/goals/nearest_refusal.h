// Finds the refusal that is nearest to a yes.
#pragma once

#include <optional>
#include <span>

#include "htools/allocate.h"
#include "htools/refusal.h"

namespace htools {

// Returns how much of what is needed is lacking: from 0 to 1, and 1 for rules without amounts.
double lacking(const Shortage& shortage);

// Returns the refusal that lacks least, the first of those that lack equally; nothing if there are none.
std::optional<Refusal> nearest_refusal(std::span<const Refusal> refusals);
// The same of all groups that an allocator has tried.
std::optional<Refusal> nearest_refusal(const AllocationAnswer& answer);

}  // namespace htools
