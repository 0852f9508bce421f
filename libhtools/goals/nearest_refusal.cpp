#include "goals/nearest_refusal.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace htools {
namespace {

double lacking(const Refusal& refusal) {
  const auto* shortage = std::get_if<Shortage>(&refusal.reason);
  return shortage == nullptr ? 1.0 : lacking(*shortage);
}

}  // namespace

double lacking(const Shortage& shortage) {
  if (!shortage.needed || !shortage.available || !(*shortage.needed > 0.0)) return 1.0;
  return std::clamp((*shortage.needed - *shortage.available) / *shortage.needed, 0.0, 1.0);
}

std::optional<Refusal> nearest_refusal(std::span<const Refusal> refusals) {
  const auto nearest = std::ranges::min_element(refusals, {}, [](const Refusal& r) { return lacking(r); });
  return nearest == refusals.end() ? std::nullopt : std::optional(*nearest);
}

std::optional<Refusal> nearest_refusal(const AllocationAnswer& answer) {
  std::vector<Refusal> all;
  for (const GroupTrial& group : answer.trials) {
    const auto* allocation = std::get_if<Allocation>(&group.outcome);
    if (allocation != nullptr) all.insert(all.end(), allocation->refusals.begin(), allocation->refusals.end());
  }
  return nearest_refusal(all);
}

}  // namespace htools
