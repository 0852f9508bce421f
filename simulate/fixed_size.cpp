#include "simulate/fixed_size.h"

#include <algorithm>
#include <utility>

#include "base/literal.h"
#include "base/numbers.h"
#include "placement/failure_counts.h"
#include "placement/pair_search.h"
#include "placement/single_search.h"
#include "simulate/plain_simulation.h"

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

// Adds two-node instances until the limit or until none fits, and returns the failures of the next placement.
FailCounts add_pairs(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  const std::int64_t end = most(limit);
  PairSearch search(state.cluster(), rules.candidates, instance);
  for (std::int64_t placed = 0; placed != end; ++placed) {
    const auto pair = search.best();
    if (!pair) break;
    state.add(instance, pair->primary, pair->secondary);
    search.changed(pair->primary);
    search.changed(pair->secondary);
    rules.tell(state, size);
  }
  return failures(state, instance, rules);
}

// The places to which one-node instances of one size go, one after the other and without capacity checks. They follow
// from the state at the beginning, so they are searched only once, however often the state returns to an earlier one.
class PlaceSequence {
 public:
  PlaceSequence(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules)
      : state_(state), size_(size), rules_(rules), instance_(simulated_instance(rules.kind, size)), start_(added()) {}

  // Adds that many instances, or fewer if no more fit. If `count` is negative, adds all that fit.
  void add(std::int64_t count) {
    for (std::int64_t placed = 0; placed != count; ++placed) {
      const auto node = next();
      if (!node) break;
      state_.add(instance_, *node, NodeIndex::none());
      rules_.tell(state_, size_);
    }
  }
  // Returns the number of instances that can be added without a search.
  std::int64_t known() const { return static_cast<std::int64_t>(places_.size() - position()); }
  // Returns the failures of the next placement.
  FailCounts next_failures() const { return failures(state_, instance_, rules_); }

 private:
  std::size_t added() const { return static_cast<std::size_t>(state_.added()); }
  std::size_t position() const { return added() - start_; }

  // Returns the place of the next instance, or nothing if none fits.
  std::optional<NodeIndex> next() {
    if (position() < places_.size()) return places_[position()];
    if (!search_) search_.emplace(state_.cluster(), rules_.candidates, instance_), searched_ = position();
    for (; searched_ < position(); ++searched_) search_->changed(places_[searched_]);
    const auto node = search_->best();
    if (node) places_.push_back(*node);
    return node;
  }

  SimulationState& state_;
  const SimulatedSize& size_;
  const SimulationRules& rules_;
  Instance instance_;
  std::size_t start_;  // the number of instances added before
  std::vector<NodeIndex> places_;
  std::optional<SingleSearch> search_;  // in the state after the first `searched_` places
  std::size_t searched_ = 0;
};

// Adds instances in small steps, each with a check of the given nodes, and keeps each step that the cluster survives.
// Returns false if it does not survive some step, which is undone. All other nodes must be certain to be vacatable
// after all steps. Only nodes that are not are checked at the steps before: a node that is certain to be vacatable was
// so with fewer instances. Looking at the middle first leaves few nodes to check at most steps.
bool add_small_steps(std::int64_t steps, PlaceSequence& places, CapacityCheck& check, Trial& trial,
                     const std::vector<NodeIndex>& nodes) {
  if (steps == 0) return true;
  if (nodes.empty() || steps == 1) {
    Attempt attempt(trial);
    places.add(steps * kSmallStep);
    if (!check.survives(nodes)) return false;
    attempt.keep();
    return true;
  }
  std::vector<NodeIndex> nodes_before;
  const std::int64_t half = steps / 2;
  {
    const Attempt middle(trial);
    places.add(half * kSmallStep);
    nodes_before = check.uncertain(nodes);
  }
  return add_small_steps(half, places, check, trial, nodes_before) &&
         add_small_steps(steps - half, places, check, trial, nodes);
}

// Adds one-node instances, each at a place where the cluster stays able to lose any node. Returns the failures of the
// next placement.
FailCounts add_checked(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  CapacityCheck& check = rules.capacity_check(state);
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
  const Instance instance = simulated_instance(rules.kind, size);
  if (rules.capacity_checks) {
    const OutcomeCounts start = count_outcomes(state.cluster(), rules.candidates, instance);
    if (start.successes == 0) return start.failures;
    if (size.memory == 0)
      throw InputError(ErrorCode::Unanswerable,
                       "capacity checks need instances with memory, but the instance size has none");
    if (!rules.candidates.pairs && hopeless && size.takes_room() && limit != 0) {
      FailCounts counts = start.failures;
      counts[FailMode::N1] += start.successes;
      return counts;
    }
  }
  if (kLiteral) return plain_fixed_size(state, size, limit, rules);
  if (rules.candidates.pairs) return add_pairs(state, size, limit, rules);
  PlaceSequence places(state, size, rules);
  if (!rules.capacity_checks) {
    places.add(most(limit));
    return places.next_failures();
  }

  CapacityCheck& check = rules.capacity_check(state);
  bool huge = true;
  for (bool one_by_one = false; !one_by_one;) {
    const std::int64_t step = huge ? huge_step(state.cluster(), size.memory) : kSmallStep;
    {
      Attempt attempt(state.trial);
      const std::int64_t added_before = state.added();
      places.add(limit ? std::min(step, *limit) : step);
      if (check.survives()) {
        attempt.keep();
        const Limit rest = remaining(limit, step);
        if (rest == 0 || state.added() == added_before) return places.next_failures();
        limit = rest;
        continue;
      }
    }
    one_by_one = !huge;
    if (huge && limit.value_or(1) > 0 && size.takes_room()) {
      // Small steps up to the place where the big one has failed, but not the one that would reach the limit.
      const std::int64_t known = limit ? std::min(places.known(), *limit - 1) : places.known();
      const std::int64_t before = state.added();
      one_by_one = !add_small_steps(known / kSmallStep, places, check, state.trial, check.all());
      if (limit) *limit -= state.added() - before;
    }
    huge = false;
  }
  return add_checked(state, size, limit, rules);
}

bool is_hopeless(SimulationState& state, const SimulationRules& rules) {
  if (kLiteral || !rules.capacity_checks) return false;
  return rules.capacity_check(state).is_hopeless();
}

SurvivablePlace find_survivable_place(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules) {
  const Instance instance = simulated_instance(rules.kind, size);
  CapacityCheck& check = rules.capacity_check(state);
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
