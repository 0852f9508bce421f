// Numbers nodes, instances and tags in a model, and counts by such numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace htools {

// The position of a node or an instance in the model.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();

// Counts by number, for the few that are not 0.
struct SlotCount {
  Slot number;
  std::int64_t count;
};

// Returns the count of a number.
inline std::int64_t count_of(const std::vector<SlotCount>& counts, Slot number) {
  for (const SlotCount& c : counts) {
    if (c.number == number) return c.count;
  }
  return 0;
}

// Changes a count, and drops it if it becomes 0. The order of the others does not matter.
inline void change_count(std::vector<SlotCount>& counts, Slot number, std::int64_t change) {
  const auto it = std::find_if(counts.begin(), counts.end(), [&](const SlotCount& c) { return c.number == number; });
  if (it == counts.end()) {
    counts.push_back({number, change});
  } else if ((it->count += change) == 0) {
    *it = counts.back();
    counts.pop_back();
  }
}

// Returns the largest count; 0 if there is none.
inline std::int64_t largest_count(const std::vector<SlotCount>& counts) {
  std::int64_t most = 0;
  for (const SlotCount& c : counts) most = std::max(most, c.count);
  return most;
}

}  // namespace htools
