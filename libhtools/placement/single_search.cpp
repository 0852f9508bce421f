#include "placement/single_search.h"

#include <algorithm>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "placement/failure_counts.h"

namespace htools {

SingleSearch::SingleSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance)
    : cluster_(cluster), instance_(instance), scores_(all_nodes(cluster.nodes)) {
  for (const auto& nodes : candidates.lists) {
    for (NodeIndex n : nodes) {
      const auto possible = candidate(n);
      if (!possible) continue;
      possible_.push_back(*possible);
      places_.push_back({n, enter(node_values(cluster.node(n)), possible->changes.front().values)});
      all_online_ &= !cluster.node(n).offline;
    }
  }
}

std::optional<ChangedScores::Candidate> SingleSearch::candidate(NodeIndex n) const {
  const Node& node = cluster_.node(n);
  const NodeBooks after = books_with_primary(node, instance_);
  if (refusal_as_primary(cluster_, node, after, instance_)) return std::nullopt;
  // Simulated instances have no tags, so they add no collisions.
  return ChangedScores::Candidate{{{n.position(), node_values(node, after)}}, scores_.pair_collisions()};
}

std::size_t SingleSearch::enter(const ComponentValues& before, const ComponentValues& after) {
  constexpr std::size_t kLookedAt = 16;  // nodes that become equal mostly do so one soon after the other
  const auto same = [&](const Outcome& outcome) { return outcome.before == before && outcome.after == after; };
  const auto last = outcomes_.rbegin() + static_cast<std::ptrdiff_t>(std::min(kLookedAt, outcomes_.size()));
  const auto found = std::find_if(outcomes_.rbegin(), last, same);
  const auto place = static_cast<std::size_t>(outcomes_.rend() - found) - 1;
  if (found != last) {
    ++found->nodes;
    return place;
  }
  outcomes_.push_back({before, after, 1});
  estimates_.add(before, after);
  return outcomes_.size() - 1;
}

void SingleSearch::leave(std::size_t outcome) {
  if (--outcomes_[outcome].nodes > 0) return;
  const std::size_t last = outcomes_.size() - 1;
  for (Place& place : places_) {
    if (place.outcome == last) place.outcome = outcome;
  }
  outcomes_[outcome] = outcomes_[last];
  outcomes_.pop_back();
  estimates_.remove(outcome);
}

std::optional<NodeIndex> SingleSearch::best() const {
  const auto nearly_best = all_online_ ? estimates_.nearly_best(scores_.statistics()) : std::vector<std::size_t>();
  if (nearly_best.empty()) {
    const auto first = ranking().next();
    return first ? std::optional(node_of(*first)) : std::nullopt;
  }
  std::vector<char> is_nearly_best(outcomes_.size(), 0);
  for (std::size_t outcome : nearly_best) is_nearly_best[outcome] = 1;
  std::vector<ChangedScores::SingleChange> candidates;
  candidates.reserve(places_.size());
  for (const Place& place : places_) {
    if (is_nearly_best[place.outcome]) {
      candidates.push_back({place.node.position(), &outcomes_[place.outcome].after});
    }
  }
  if (candidates.size() == 1) return NodeIndex(candidates.front().position);
  const std::vector<double> scores = scores_.exact(candidates);
  std::size_t best = 0;
  for (std::size_t c = 1; c < scores.size(); ++c) {
    if (scores[c] <= scores[best]) best = c;
  }
  return NodeIndex(candidates[best].position);
}

void SingleSearch::changed(NodeIndex n) {
  const ComponentValues values = node_values(cluster_.node(n));
  scores_.apply({{{n.position(), values}}, scores_.pair_collisions()});
  const auto at = std::lower_bound(places_.begin(), places_.end(), n,
                                   [](const Place& place, NodeIndex m) { return place.node < m; });
  if (at == places_.end() || at->node != n) return;
  const auto candidate_at = possible_.begin() + (at - places_.begin());
  const std::size_t old_outcome = at->outcome;
  if (auto possible = candidate(n)) {
    *candidate_at = *possible;
    at->outcome = enter(values, possible->changes.front().values);
  } else {
    places_.erase(at);
    possible_.erase(candidate_at);
  }
  leave(old_outcome);
}

}  // namespace htools
