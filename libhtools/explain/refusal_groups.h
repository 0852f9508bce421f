// Sums up many refusals: those with the same reason become one, which shows the node that lacks least.
#pragma once

#include <cstddef>
#include <vector>

#include "htools/refusal.h"

namespace htools {

// Refusals by the same rule in the same role.
struct RefusalGroup {
  std::vector<Refusal> refusals;       // the one that lacks least is the first; the others keep their order
  std::vector<std::size_t> positions;  // of these refusals in the list that was grouped

  const Refusal& nearest() const { return refusals.front(); }
};

// Returns the groups, the largest first.
std::vector<RefusalGroup> group_refusals(const std::vector<Refusal>& refusals);

}  // namespace htools
