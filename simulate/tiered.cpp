#include "simulate/tiered.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/literal.h"
#include "simulate/fixed_size.h"
#include "simulate/outcomes.h"
#include "simulate/plain_simulation.h"
#include "simulate/shrink.h"

namespace htools {

namespace {

// A limit of the number of instances, or nothing if there is none.
using Limit = std::optional<std::int64_t>;
// The failure modes in some order.
using ModeOrder = std::array<FailMode, kFailModeCount>;

// Returns the failure modes, the most frequent first; of equally frequent ones, the later mode of the enumeration
// first.
ModeOrder by_frequency(const FailCounts& counts) {
  ModeOrder order{};
  for (std::size_t i = 0; i < kFailModeCount; ++i) order[i] = static_cast<FailMode>(kFailModeCount - 1 - i);
  std::stable_sort(order.begin(), order.end(), [&](FailMode a, FailMode b) { return counts[a] > counts[b]; });
  return order;
}

// The state between two successes of a descent through the sizes. It does not change, so answers about it are
// remembered.
class Standstill {
 public:
  Standstill(SimulationState& state, const SimulationRules& rules, const SimulatedSize& largest)
      : state_(state), rules_(rules), outcomes_(state, rules, largest) {}

  Outcomes& outcomes() { return outcomes_; }

  // True if the cluster cannot lose some node, however many instances are added (see is_hopeless()).
  bool hopeless() {
    if (!hopeless_) hopeless_ = is_hopeless(state_, rules_);
    return *hopeless_;
  }

  // Returns the result of find_survivable_place(), or Exists without capacity checks.
  SurvivablePlace survivable_place(const SimulatedSize& size) {
    if (!rules_.capacity_checks) return SurvivablePlace::Exists;
    if (size.takes_room() && hopeless()) return SurvivablePlace::NoneForLarger;
    // Results are remembered, because the probes of neighbouring sizes pass through the same smaller ones.
    const auto [known, is_new] = survivable_.try_emplace(size, SurvivablePlace::None);
    if (is_new) known->second = find_survivable_place(state_, size, rules_);
    return known->second;
  }

  // Returns by how many units a size at which nothing is placed can be reduced without a change of its failures.
  std::int64_t equal_reductions(const SimulatedSize& size, std::size_t resource) {
    const std::int64_t equal = outcomes_.equal_reductions(size, resource);
    if (outcomes_.of(size).successes == 0) return equal;
    return survivable_place(*reduced(size, resource, equal)) == SurvivablePlace::NoneForLarger ? equal : 0;
  }

  // The result of a probe: the first size that has a place, if any.
  struct Probe {
    std::optional<SimulatedSize> found;
    bool size_matters = false;  // a larger size with the same outcome could have given another result
  };
  // Shrinks the resource that `missing` stands for, as long as that is among the reasons of failure. Finds the first
  // size with a place, if any. The smallest size is not tried.
  Probe probe(SimulatedSize size, FailMode missing) {
    Probe result;
    const auto resource = shrinkable_resource(missing);
    while (resource && possible_reductions(size, *resource) > 0) {
      const OutcomeCounts& outcome = outcomes_.of(size);
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

// A run of levels: consecutive sizes of a descent that have the same outcome and at which nothing was placed.
struct Levels {
  SimulatedSize first;
  std::int64_t count;
  std::optional<std::size_t> resource;  // the resource that shrinks from one level to the next
  FailCounts failures;
  Limit limit;              // the limit after the first level
  std::int64_t limit_step;  // the amount by which the limit falls from one level to the next

  SimulatedSize size(std::int64_t level) const { return level == 0 ? first : *reduced(first, *resource, level); }
  Limit limit_after(std::int64_t level) const { return limit ? Limit(*limit - level * limit_step) : std::nullopt; }
};

// A size with a place that was found by shrinking one resource of a level, and the limit there.
struct Restart {
  SimulatedSize size;
  Limit limit;
};
// Probes the levels, the last one first, and returns the first size with a place.
std::optional<Restart> probe_levels(Standstill& standstill, const Levels& levels) {
  for (std::int64_t level = levels.count; level-- > 0;) {
    bool size_matters = false;
    for (FailMode mode : by_frequency(levels.failures)) {
      const auto probe = standstill.probe(levels.size(level), mode);
      if (probe.found) return Restart{*probe.found, levels.limit_after(level)};
      size_matters |= probe.size_matters;
    }
    // The probes met all the outcomes that the probes of the levels before would meet.
    if (!size_matters) break;
  }
  return std::nullopt;
}

}  // namespace

// The procedure of the reference (htools of Ganeti 3.0.2) is recursive, with one call per size. A size at which
// something is placed ends all calls above it, so only the levels since the last placement are kept.
FailCounts allocate_tiered(SimulationState& state, const SimulatedSize& start, Limit limit,
                           const SimulationRules& rules) {
  if (kLiteral) return plain_tiered(state, start, limit, rules);
  std::vector<Levels> stack;
  std::optional<Standstill> standstill;
  std::optional<SimulatedSize> size = start;
  FailCounts failures;

  while (size) {
    if (!standstill) standstill.emplace(state, rules, start);
    rules.tell(state, *size);
    const std::int64_t added_before = state.added();
    const OutcomeCounts outcome = standstill->outcomes().of(*size);
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
        if (limit && added > 0) count = std::min(count, (*limit - 1) / added);  // the levels that the limit admits
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
