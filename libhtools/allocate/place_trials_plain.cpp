// Tries places as the rules are written, for programs without shortcuts (base/literal.h).
#include "allocate/place_trials.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/ranking.h"
#include "placement/failure_counts.h"

namespace htools {

Allocation PlaceTrials::try_nodes_plainly(const std::vector<NodeIndex>& candidates) {
  const Instance& instance = arrival_.instance;
  const NodeRefs scored = scored_nodes();
  Allocation allocation;
  if (rules_.explain) allocation.refusals = refusals_of_nodes(cluster_, candidates, instance, rules_.force);
  std::vector<ScoredPlace> places;
  for (NodeIndex n : candidates) {
    const Node& node = cluster_.node(n);
    const NodeBooks after = books_with_primary(node, instance);
    if (const auto fail = refusal_as_primary(cluster_, node, after, instance, {.force = rules_.force})) {
      allocation.failures[*fail] += 1;
      continue;
    }
    const Placement place{n, NodeIndex::none()};
    const Attempt attempt(trial_);
    enter(trial_, placed(cluster_, instance, place), arrival_.index);
    places.emplace_back(score(scored), place);
  }
  if (const auto best = choose_plainly(places, places.size(), allocation)) {
    allocation.choice = {best->second, best->first};
  }
  return allocation;
}

Allocation PlaceTrials::try_pairs_plainly(const std::vector<NodeIndex>& primaries,
                                          const std::vector<NodeIndex>& secondaries) {
  const NodeRefs scored = scored_nodes();
  const Statistics base = Statistics::evaluate(scored);
  Allocation allocation;
  if (rules_.explain) {
    allocation.refusals = refusals_of_pairs(cluster_, primaries, secondaries, arrival_.instance, rules_.force);
  }
  for (NodeIndex p : primaries) {
    std::vector<ScoredPlace> places;
    for (NodeIndex s : secondaries) {
      if (s == p) continue;
      const Placement place{p, s};
      const Instance instance = placed(cluster_, arrival_.instance, place);
      const Node &primary = cluster_.node(p), &secondary = cluster_.node(s);
      auto fail = refusal_as_primary(cluster_, primary, books_with_primary(primary, instance), instance,
                                     {.force = rules_.force});
      if (!fail) fail = check_secondary(secondary, books_with_secondary(secondary, instance, p), instance);
      if (fail) {
        allocation.failures[*fail] += 1;
        continue;
      }
      Statistics statistics = base;
      const ComponentValues primary_before = node_values(primary), secondary_before = node_values(secondary);
      const Attempt attempt(trial_);
      enter(trial_, instance, arrival_.index);
      statistics.set_pair_collisions(pair_collisions(scored));
      statistics.update(primary_before, node_values(primary), primary.offline);
      statistics.update(secondary_before, node_values(secondary), secondary.offline);
      places.emplace_back(statistics.score(), place);
    }
    const auto best = choose_plainly(places, 1, allocation);
    if (!best || (allocation.choice && std::get<double>(allocation.choice->score) < best->first)) continue;
    allocation.choice = {best->second, best->first};
  }
  return allocation;
}

std::optional<PlaceTrials::ScoredPlace> PlaceTrials::choose_plainly(const std::vector<ScoredPlace>& places,
                                                                    std::size_t most_reasons, Allocation& allocation) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t p = places.size(); p-- > 0;) order.emplace_back(places[p].first, p);
  sort_by_score(order);
  allocation.successes += static_cast<std::int64_t>(places.size());
  std::size_t dropped = 0;
  for (const auto& [score, p] : order) {
    if (passes(places[p].second)) return places[p];
    if (rules_.explain && dropped++ < most_reasons) check_.explain(places[p].second, allocation.refusals);
    allocation.successes -= 1;
    allocation.failures[FailMode::N1] += 1;
  }
  return std::nullopt;
}

}  // namespace htools
