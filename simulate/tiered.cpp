#include "simulate/tiered.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/numbers.h"
#include "simulate/fixed_size.h"
#include "simulate/outcomes.h"

namespace htools {

namespace {

using Limit = std::optional<std::int64_t>;
using ModeOrder = std::array<FailMode, kFailModeCount>;

struct ShrinkUnit {
  FailMode missing;
  std::int64_t SimulatedSize::*amount;
  std::int64_t unit;
};
constexpr std::array kShrinkUnits{
    ShrinkUnit{FailMode::Memory, &SimulatedSize::memory, 64},
    ShrinkUnit{FailMode::Disk, &SimulatedSize::disk, 256},
    ShrinkUnit{FailMode::Cpu, &SimulatedSize::vcpus, 1},
    ShrinkUnit{FailMode::Spindles, &SimulatedSize::spindles, 1},
};

// The size with its amount reduced by `units` units; nothing if less than one unit would be left.
std::optional<SimulatedSize> shrunk_by(SimulatedSize size, const ShrinkUnit& u, std::int64_t units) {
  size.*u.amount -= units * u.unit;
  return size.*u.amount < u.unit ? std::nullopt : std::optional(size);
}

const ShrinkUnit* find_unit(FailMode missing) {
  const auto it = std::find_if(kShrinkUnits.begin(), kShrinkUnits.end(),
                               [missing](const ShrinkUnit& u) { return u.missing == missing; });
  return it == kShrinkUnits.end() ? nullptr : &*it;
}

// Most frequent first; of equally frequent ones the later mode first.
ModeOrder by_frequency(const FailCounts& counts) {
  ModeOrder order{};
  for (std::size_t i = 0; i < kFailModeCount; ++i) order[i] = static_cast<FailMode>(kFailModeCount - 1 - i);
  std::stable_sort(order.begin(), order.end(), [&](FailMode a, FailMode b) { return counts[a] > counts[b]; });
  return order;
}

// The unchanging state between two successes of a descent.
class Standstill {
 public:
  Standstill(SimulationState& state, const SimulationRules& rules)
      : state_(state), rules_(rules), outcomes_(state, rules) {}

  const Survey& outcome(const SimulatedSize& size) { return outcomes_.of(size); }

  // Shrinks only what `missing` says, as long as that is among the reasons. The first size with a place, if any; the
  // smallest size is not tried.
  std::optional<SimulatedSize> probe(SimulatedSize size, FailMode missing) {
    const ShrinkUnit* unit = find_unit(missing);
    while (unit != nullptr && shrunk_by(size, *unit, 1)) {
      const Survey& outcome = outcomes_.of(size);
      const bool has_place = outcome.successes > 0;
      if (has_place && is_survivable(size)) return size;
      if (outcome.failures[missing] == 0) break;
      const auto next = shrunk_by(size, *unit, has_place ? 1 : units_to_new_outcome(size, *unit));
      if (!next) break;
      size = *next;
    }
    return std::nullopt;
  }

  bool hopeless() {
    if (!hopeless_) hopeless_ = is_hopeless(state_, rules_);
    return *hopeless_;
  }

 private:
  bool is_survivable(const SimulatedSize& size) {
    if (!rules_.capacity_checks) return true;
    if (hopeless()) return false;
    // The probes of neighbouring sizes pass through the same smaller ones.
    const auto [known, is_new] = survivable_.try_emplace(size, false);
    if (is_new) known->second = survivable_place_exists(state_, size, rules_);
    return known->second;
  }

  std::int64_t units_to_new_outcome(const SimulatedSize& size, const ShrinkUnit& u) const {
    std::int64_t lowest_equal = size.*u.amount;
    if (u.missing == FailMode::Memory) lowest_equal = outcomes_.lowest_equal_memory(size.memory);
    if (u.missing == FailMode::Disk) lowest_equal = outcomes_.lowest_equal_disk(size.disk);
    lowest_equal = std::max<std::int64_t>(lowest_equal, 0);  // the chain ends above
    return floor_div(size.*u.amount - lowest_equal, u.unit) + 1;
  }

  SimulationState& state_;
  const SimulationRules& rules_;
  Outcomes outcomes_;
  std::map<SimulatedSize, bool> survivable_;
  std::optional<bool> hopeless_;
};

// A size at which nothing more could be placed.
struct Level {
  SimulatedSize size;
  FailCounts failures;
  Limit limit;  // of what comes after it
};

}  // namespace

std::optional<SimulatedSize> shrunk(const SimulatedSize& size, FailMode missing) {
  const ShrinkUnit* unit = find_unit(missing);
  return unit == nullptr ? std::nullopt : shrunk_by(size, *unit, 1);
}

// The specified procedure is recursive: a size that brings progress ends all levels above it, so only the levels since
// the last progress are kept, on a stack that may be thousands of levels deep.
FailCounts allocate_tiered(SimulationState& state, const SimulatedSize& start, Limit limit,
                           const SimulationRules& rules) {
  std::vector<Level> levels;
  std::optional<Standstill> standstill;
  std::optional<SimulatedSize> size = start;
  FailCounts failures;

  while (size) {
    if (!standstill) standstill.emplace(state, rules);
    const std::int64_t added_before = state.added();
    const Survey outcome = standstill->outcome(*size);
    if (outcome.successes == 0) {
      failures = outcome.failures;
    } else {
      const bool hopeless = !rules.candidates.pairs && standstill->hopeless();
      failures = allocate_fixed_size(state, *size, limit, rules, hopeless);
    }
    if (state.added() > added_before) {
      levels.clear();
      standstill.emplace(state, rules);
    }

    std::optional<SimulatedSize> next;
    if (!limit || *limit > state.added()) {
      if (limit) limit = *limit - state.added();
      levels.push_back({*size, failures, limit});
      next = shrunk(*size, by_frequency(failures).front());
    }
    while (!next && !levels.empty()) {
      const Level level = levels.back();
      failures = level.failures;
      levels.pop_back();
      limit = level.limit;
      for (FailMode mode : by_frequency(level.failures)) {
        next = standstill->probe(level.size, mode);
        if (next) break;
      }
    }
    size = next;
  }
  return failures;
}

}  // namespace htools
