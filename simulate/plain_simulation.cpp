#include "simulate/plain_simulation.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/ranking.h"
#include "metric/statistics.h"
#include "placement/failure_counts.h"
#include "rules/admission.h"
#include "simulate/fixed_size.h"
#include "simulate/shrink.h"

namespace htools {

namespace {

// A limit of the number of instances, or nothing if there is none.
using Limit = std::optional<std::int64_t>;

// A place for an instance, and the score that it leads to.
struct ScoredPlace {
  double score;
  NodeIndex primary, secondary;
};

// The result of placing one instance.
struct PlaceAnswer {
  std::optional<ScoredPlace> place;
  FailCounts failures;
};

// Places one instance of a size. If `checked` is set, only places count that the cluster survives the loss of any node
// with.
class PlainPlacement {
 public:
  PlainPlacement(SimulationState& state, const SimulatedSize& size, const SimulationRules& rules, bool checked)
      : state_(state), rules_(rules), instance_(simulated_instance(rules.kind, size)), checked_(checked) {
    rules_.tell(state, size);
  }

  PlaceAnswer place() { return rules_.candidates.pairs ? place_pair() : place_single(); }
  void carry_out(const ScoredPlace& place) { state_.add(instance_, place.primary, place.secondary); }

 private:
  const Cluster& cluster() const { return state_.cluster(); }
  NodeRefs all() const { return all_nodes(cluster().nodes); }

  std::optional<FailMode> refusal_of(NodeIndex primary) const {
    const Node& node = cluster().node(primary);
    return refusal_as_primary(cluster(), node, books_with_primary(node, instance_), instance_);
  }
  std::optional<FailMode> refusal_of(NodeIndex primary, NodeIndex secondary) const {
    if (const auto refusal = refusal_of(primary)) return refusal;
    const Node& node = cluster().node(secondary);
    return check_secondary(node, books_with_secondary(node, instance_, primary), instance_);
  }

  // Returns the first of the places, sorted by score, that counts. `places` are in the order of the candidates.
  std::optional<ScoredPlace> choose(const std::vector<ScoredPlace>& places, FailCounts& failures) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t p = places.size(); p-- > 0;) order.emplace_back(places[p].score, p);
    sort_by_score(order);
    for (const auto& [score, p] : order) {
      if (!checked_ || survives_with(places[p])) return places[p];
      failures[FailMode::N1] += 1;
    }
    return std::nullopt;
  }

  bool survives_with(const ScoredPlace& place) {
    const Attempt attempt(state_.trial);
    carry_out(place);
    return rules_.capacity_check(state_).survives();
  }

  PlaceAnswer place_single() {
    PlaceAnswer result;
    std::vector<ScoredPlace> places;
    for (const std::vector<NodeIndex>& nodes : rules_.candidates.lists) {
      for (NodeIndex n : nodes) {
        if (const auto refusal = refusal_of(n)) {
          result.failures[*refusal] += 1;
          continue;
        }
        const Attempt attempt(state_.trial);
        state_.add(instance_, n, NodeIndex::none());
        places.push_back({score(all()), n, NodeIndex::none()});
      }
    }
    result.place = choose(places, result.failures);
    return result;
  }

  PlaceAnswer place_pair() {
    PlaceAnswer result;
    const Statistics base = Statistics::evaluate(all());
    std::vector<std::pair<NodeIndex, const std::vector<NodeIndex>*>> primaries;  // with their partners
    for (const std::vector<NodeIndex>& nodes : rules_.candidates.lists) {
      for (NodeIndex n : nodes) primaries.emplace_back(n, &nodes);
    }
    std::sort(primaries.begin(), primaries.end());
    for (const auto& [p, partners] : primaries) {
      std::vector<ScoredPlace> places;
      for (NodeIndex s : *partners) {
        if (s == p) continue;
        if (const auto refusal = refusal_of(p, s)) {
          result.failures[*refusal] += 1;
        } else {
          places.push_back({updated_score(base, p, s), p, s});
        }
      }
      const auto chosen = choose(places, result.failures);
      if (chosen && !(result.place && result.place->score < chosen->score)) result.place = chosen;
    }
    return result;
  }

  // Returns the score that is updated for the primary first, and then for the secondary.
  double updated_score(Statistics statistics, NodeIndex primary, NodeIndex secondary) {
    const std::array nodes{primary, secondary};
    std::vector<ComponentValues> before;
    for (NodeIndex n : nodes) before.push_back(node_values(cluster().node(n)));
    const Attempt attempt(state_.trial);
    state_.add(instance_, primary, secondary);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = cluster().node(nodes[i]);
      statistics.update(before[i], node_values(node), node.offline);
    }
    return statistics.score();
  }

  SimulationState& state_;
  const SimulationRules& rules_;
  Instance instance_;
  bool checked_;
};

FailCounts add_one_by_one(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules,
                          bool checked) {
  for (;; limit = limit ? Limit(*limit - 1) : limit) {
    PlainPlacement placement(state, size, rules, checked && !rules.candidates.pairs);
    const PlaceAnswer placed = placement.place();
    if (!placed.place || limit == 0) return placed.failures;
    placement.carry_out(*placed.place);
  }
}

std::int64_t big_step(const Cluster& cluster, std::int64_t memory) {
  std::int64_t available = 0;
  for (const Node& node : cluster.nodes) available += node.available_memory();
  return std::max<std::int64_t>(20, floor_div(available, memory) - static_cast<std::int64_t>(cluster.nodes.size()));
}

// Returns the failure modes, the most frequent first; of equally frequent ones, the later mode first.
std::vector<FailMode> most_frequent_first(const FailCounts& failures) {
  std::vector<FailMode> modes;
  for (std::size_t m = kFailModeCount; m-- > 0;) modes.push_back(static_cast<FailMode>(m));
  std::stable_sort(modes.begin(), modes.end(), [&](FailMode a, FailMode b) { return failures[a] > failures[b]; });
  return modes;
}

std::optional<SimulatedSize> shrunk(const SimulatedSize& size, FailMode missing) {
  const auto resource = shrinkable_resource(missing);
  return resource ? reduced(size, *resource, 1) : std::nullopt;
}

// Shrinks one resource until a place is found.
std::optional<SimulatedSize> probed_size(SimulationState& state, SimulatedSize size, FailMode missing,
                                         const SimulationRules& rules) {
  while (const auto smaller = shrunk(size, missing)) {
    const PlaceAnswer placed = PlainPlacement(state, size, rules, rules.capacity_checks).place();
    if (placed.place) return size;
    if (placed.failures[missing] == 0) return std::nullopt;
    size = *smaller;
  }
  return std::nullopt;
}

}  // namespace

FailCounts plain_fixed_size(SimulationState& state, const SimulatedSize& size, Limit limit,
                            const SimulationRules& rules) {
  if (!rules.capacity_checks) return add_one_by_one(state, size, limit, rules, false);
  for (bool huge = true;;) {
    const std::int64_t step = huge ? big_step(state.cluster(), size.memory) : 10;
    const Limit rest = limit ? Limit(std::max<std::int64_t>(0, *limit - step)) : std::nullopt;
    const std::int64_t added_before = state.added();
    Attempt attempt(state.trial);
    const FailCounts failures = add_one_by_one(state, size, limit ? std::min(step, *limit) : step, rules, false);
    if (rules.capacity_check(state).survives()) {
      attempt.keep();
      if (rest == 0 || state.added() == added_before) return failures;
      limit = rest;
    } else if (huge) {
      huge = false;
    } else {
      break;
    }
  }
  return add_one_by_one(state, size, limit, rules, true);
}

FailCounts plain_tiered(SimulationState& state, const SimulatedSize& size, Limit limit, const SimulationRules& rules) {
  const FailCounts failures = allocate_fixed_size(state, size, limit, rules, false);
  const std::int64_t added = state.added();
  if (limit && *limit <= added) return failures;
  if (limit) limit = *limit - added;
  const std::vector<FailMode> modes = most_frequent_first(failures);
  if (const auto smaller = shrunk(size, modes.front())) {
    const FailCounts of_smaller = plain_tiered(state, *smaller, limit, rules);
    if (state.added() > added) return of_smaller;
  }
  for (FailMode mode : modes) {
    if (const auto found = probed_size(state, size, mode, rules)) return plain_tiered(state, *found, limit, rules);
  }
  return failures;
}

}  // namespace htools
