#include "simulate/shrink.h"

#include <algorithm>

namespace htools {

std::optional<std::size_t> shrinkable_resource(FailMode missing) {
  for (std::size_t r = 0; r < kShrinkableResources.size(); ++r) {
    if (kShrinkableResources[r].missing == missing) return r;
  }
  return std::nullopt;
}

std::int64_t possible_reductions(const SimulatedSize& size, std::size_t resource) {
  const ShrinkableResource& r = kShrinkableResources[resource];
  return std::max<std::int64_t>(1, size.*r.amount / r.unit) - 1;
}

std::optional<SimulatedSize> reduced(SimulatedSize size, std::size_t resource, std::int64_t units) {
  if (units > possible_reductions(size, resource)) return std::nullopt;
  const ShrinkableResource& r = kShrinkableResources[resource];
  size.*r.amount -= units * r.unit;
  return size;
}

}  // namespace htools
