#include "simulate/fixed_size.h"

#include <algorithm>
#include <utility>

#include "base/numbers.h"
#include "placement/failure_counts.h"
#include "placement/pair_search.h"
#include "placement/single_search.h"

namespace htools {

namespace {

constexpr std::int64_t kSmallStep = 10;
constexpr std::int64_t kMinHugeStep = 20;

// A limit of the number of instances, or nothing if there is none.
using Limit = std::optional<std::int64_t>;

// Returns the number of instances at which to stop; without a limit, a number that is never reached. (memcheck reports
// comparisons with an absent limit as uses of an uninitialised value.)
std::int64_t most(Limit limit) { return limit.value_or(-1); }

// Returns the failures of one more placement.
FailCounts failures(const SimulationState& state, const Instance& instance, const SimulationRules& rules) {
  return count_outcomes(state.cluster(), rules.candidates, instance).failures;
}

// Adds instances until the limit or until none fits, and returns the failures of the next placement.
FailCounts add_unchecked(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  const std::int64_t end = most(limit);
  if (rules.candidates.pairs) {
    PairSearch search(state.cluster(), rules.candidates, instance);
    for (std::int64_t placed = 0; placed != end; ++placed) {
      const auto pair = search.best();
      if (!pair) break;
      state.add(instance, pair->primary, pair->secondary);
      search.changed(pair->primary);
      search.changed(pair->secondary);
      rules.tell(state, size);
    }
  } else {
    SingleSearch search(state.cluster(), rules.candidates, instance);
    for (std::int64_t placed = 0; placed != end; ++placed) {
      const auto node = search.best();
      if (!node) break;
      state.add(instance, *node, NodeIndex::none());
      search.changed(*node);
      rules.tell(state, size);
    }
  }
  return failures(state, instance, rules);
}

// Adds one-node instances, each at a place where the cluster stays able to lose any node. Returns the failures of the
// next placement.
FailCounts add_checked(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  CapacityCheck check = rules.capacity_check(state);
  SingleSearch search(state.cluster(), rules.candidates, instance);
  const std::int64_t end = most(limit);
  for (std::int64_t placed = 0;; ++placed) {
    const bool last = placed == end;
    std::int64_t refused = 0;
    std::optional<NodeIndex> chosen;
    Ranking ranking = search.ranking();
    while (!chosen) {
      const auto next = ranking.next();
      if (!next) break;
      const NodeIndex node = search.node_of(*next);
      rules.tell(state, size);
      Attempt attempt(state.trial);
      state.add(instance, node, NodeIndex::none());
      if (check.survives()) {
        chosen = node;
        if (!last) attempt.keep();
      } else {
        ++refused;
      }
    }
    if (last || !chosen) {
      FailCounts counts = failures(state, instance, rules);
      counts[FailMode::N1] += refused;
      return counts;
    }
    search.changed(*chosen);
  }
}

// Returns the number of instances in a big step: as many as the available memory of all nodes holds, minus one for each
// node because nodes are not filled completely, but at least kMinHugeStep. `memory` is that of one instance, in MiB.
std::int64_t huge_step(const Cluster& cluster, std::int64_t memory) {
  std::int64_t available = 0;
  for (const Node& node : cluster.nodes) available += node.available_memory();
  return std::max(kMinHugeStep, floor_div(available, memory) - static_cast<std::int64_t>(cluster.nodes.size()));
}

// Returns the limit after a step.
Limit remaining(Limit limit, std::int64_t step) {
  return limit ? Limit(std::max<std::int64_t>(0, *limit - step)) : std::nullopt;
}

}  // namespace

FailCounts allocate_fixed_size(SimulationState& state, const SimulatedSize& size, Limit limit,
                               const SimulationRules& rules, bool hopeless) {
  if (!rules.capacity_checks) return add_unchecked(state, size, limit, rules);

  const OutcomeCounts start = count_outcomes(state.cluster(), rules.candidates, simulated_instance(rules.kind, size));
  if (start.successes == 0) return start.failures;
  if (size.memory == 0)
    throw InputError(ErrorCode::Unanswerable,
                     "capacity checks need instances with memory, but the instance size has none");
  if (rules.candidates.pairs) return add_unchecked(state, size, limit, rules);

  if (hopeless && size.takes_room() && limit != 0) {
    FailCounts counts = start.failures;
    counts[FailMode::N1] += start.successes;
    return counts;
  }
  CapacityCheck check = rules.capacity_check(state);
  bool huge = true;
  for (bool one_by_one = false; !one_by_one;) {
    const std::int64_t step = huge ? huge_step(state.cluster(), size.memory) : kSmallStep;
    Attempt attempt(state.trial);
    const std::int64_t added_before = state.added();
    const FailCounts counts = add_unchecked(state, size, limit ? std::min(step, *limit) : step, rules);
    if (check.survives()) {
      attempt.keep();
      const Limit rest = remaining(limit, step);
      if (rest == 0 || state.added() == added_before) return counts;
      limit = rest;
      continue;
    }
    one_by_one = !huge;
    huge = false;
  }
  return add_checked(state, size, limit, rules);
}

bool is_hopeless(SimulationState& state, const SimulationRules& rules) {
  if (!rules.capacity_checks) return false;
  CapacityCheck check = rules.capacity_check(state);
  return !check.survives() && check.fails_for_good();
}

SurvivablePlace find_survivable_place(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  CapacityCheck check = rules.capacity_check(state);
  bool size_matters = !size.takes_room();
  const auto survives_with = [&](NodeIndex primary, NodeIndex secondary) {
    rules.tell(state, size);
    const Attempt attempt(state.trial);
    state.add(instance, primary, secondary);
    const bool survives = check.survives();
    size_matters |= !survives && !check.fails_for_good();
    return survives;
  };
  for (const auto& nodes : rules.candidates.lists) {
    for (NodeIndex p : nodes) {
      if (!possible_as_primary(state.cluster(), p, instance)) continue;
      if (!rules.candidates.pairs) {
        if (survives_with(p, NodeIndex::none())) return SurvivablePlace::Exists;
        continue;
      }
      for (NodeIndex s : nodes) {
        if (s == p || !possible_as_secondary(state.cluster(), s, instance, p)) continue;
        if (survives_with(p, s)) return SurvivablePlace::Exists;
      }
    }
  }
  return size_matters ? SurvivablePlace::None : SurvivablePlace::NoneForLarger;
}

}  // namespace htools
