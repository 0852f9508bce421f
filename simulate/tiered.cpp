#include "simulate/tiered.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "simulate/fixed_size.h"
#include "simulate/outcomes.h"
#include "simulate/shrink.h"

namespace htools {

namespace {

using Limit = std::optional<std::int64_t>;
using ModeOrder = std::array<FailMode, kFailModeCount>;

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
  Standstill(SimulationState& state, const SimulationRules& rules, const SimulatedSize& largest)
      : state_(state), rules_(rules), outcomes_(state, rules, largest) {}

  Outcomes& outcomes() { return outcomes_; }

  bool hopeless() {
    if (!hopeless_) hopeless_ = is_hopeless(state_, rules_);
    return *hopeless_;
  }

  SurvivablePlace survivable_place(const SimulatedSize& size) {
    if (!rules_.capacity_checks) return SurvivablePlace::Exists;
    if (size.takes_room() && hopeless()) return SurvivablePlace::NoneForLarger;
    // The probes of neighbouring sizes pass through the same smaller ones.
    const auto [known, is_new] = survivable_.try_emplace(size, SurvivablePlace::None);
    if (is_new) known->second = find_survivable_place(state_, size, rules_);
    return known->second;
  }

  // How often a size at which nothing is placed can be reduced without a change of its failures.
  std::int64_t equal_reductions(const SimulatedSize& size, std::size_t resource) {
    const std::int64_t equal = outcomes_.equal_reductions(size, resource);
    if (outcomes_.of(size).successes == 0) return equal;
    return survivable_place(*reduced(size, resource, equal)) == SurvivablePlace::NoneForLarger ? equal : 0;
  }

  struct Probe {
    std::optional<SimulatedSize> found;
    bool size_matters = false;  // a larger size of the same outcome could have ended otherwise
  };
  // Shrinks only what `missing` says, as long as that is among the reasons. Finds the first size with a place, if any;
  // the smallest size is not tried.
  Probe probe(SimulatedSize size, FailMode missing) {
    Probe result;
    const auto resource = shrinkable_resource(missing);
    while (resource && possible_reductions(size, *resource) > 0) {
      const Survey& outcome = outcomes_.of(size);
      const bool has_place = outcome.successes > 0;
      if (has_place && survivable_place(size) == SurvivablePlace::Exists) {
        result.found = size;
        break;
      }
      if (outcome.failures[missing] == 0) break;
      const std::int64_t equal = equal_reductions(size, *resource);
      result.size_matters |= has_place && equal < outcomes_.equal_reductions(size, *resource);
      const auto next = reduced(size, *resource, equal + 1);
      if (!next) break;
      size = *next;
    }
    return result;
  }

 private:
  SimulationState& state_;
  const SimulationRules& rules_;
  Outcomes outcomes_;
  std::map<SimulatedSize, SurvivablePlace> survivable_;
  std::optional<bool> hopeless_;
};

// Consecutive sizes of a descent with one and the same outcome at which nothing was placed.
struct Levels {
  SimulatedSize first;
  std::int64_t count;
  std::optional<std::size_t> resource;  // what is reduced from one level to the next
  FailCounts failures;
  Limit limit;              // for what comes after the first level
  std::int64_t limit_step;  // by which it falls from one level to the next

  SimulatedSize size(std::int64_t level) const { return level == 0 ? first : *reduced(first, *resource, level); }
  Limit limit_after(std::int64_t level) const { return limit ? Limit(*limit - level * limit_step) : std::nullopt; }
};

// A place found by shrinking one resource of one of the levels, the last one first.
struct Restart {
  SimulatedSize size;
  Limit limit;
};
std::optional<Restart> probe_levels(Standstill& standstill, const Levels& levels) {
  for (std::int64_t level = levels.count; level-- > 0;) {
    bool size_matters = false;
    for (FailMode mode : by_frequency(levels.failures)) {
      const auto probe = standstill.probe(levels.size(level), mode);
      if (probe.found) return Restart{*probe.found, levels.limit_after(level)};
      size_matters |= probe.size_matters;
    }
    // All probes met the outcomes that those of the levels before would meet.
    if (!size_matters) break;
  }
  return std::nullopt;
}

}  // namespace

// The specified procedure is recursive: a size that brings progress ends all levels above it, so only the levels since
// the last progress are kept.
FailCounts allocate_tiered(SimulationState& state, const SimulatedSize& start, Limit limit,
                           const SimulationRules& rules) {
  std::vector<Levels> stack;
  std::optional<Standstill> standstill;
  std::optional<SimulatedSize> size = start;
  FailCounts failures;

  while (size) {
    if (!standstill) standstill.emplace(state, rules, start);
    rules.tell(state, *size);
    const std::int64_t added_before = state.added();
    const Survey outcome = standstill->outcomes().of(*size);
    if (outcome.successes == 0) {
      failures = outcome.failures;
    } else {
      const bool hopeless = !rules.candidates.pairs && standstill->hopeless();
      failures = allocate_fixed_size(state, *size, limit, rules, hopeless);
    }
    if (state.added() > added_before) {
      stack.clear();
      standstill.emplace(state, rules, start);
    }

    std::optional<SimulatedSize> next;
    const std::int64_t added = state.added();
    if (!limit || *limit > added) {
      const auto resource = shrinkable_resource(by_frequency(failures).front());
      std::int64_t count = 1;
      if (state.added() == added_before && resource) {
        count += standstill->equal_reductions(*size, *resource);
        if (limit && added > 0) count = std::min(count, (*limit - 1) / added);  // levels that the limit admits
      }
      if (limit) limit = *limit - added;
      stack.push_back({*size, count, resource, failures, limit, added});
      limit = stack.back().limit_after(count - 1);
      if (resource) next = reduced(*size, *resource, count);
    }
    while (!next && !stack.empty()) {
      const Levels levels = stack.back();
      stack.pop_back();
      failures = levels.failures;
      if (const auto restart = probe_levels(*standstill, levels)) {
        next = restart->size;
        limit = restart->limit;
      }
    }
    size = next;
  }
  return failures;
}

}  // namespace htools
