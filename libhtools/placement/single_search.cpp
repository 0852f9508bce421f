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
      if (auto possible = candidate(n)) possible_.push_back(*possible);
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

std::optional<NodeIndex> SingleSearch::best() const {
  const auto first = ranking().next();
  return first ? std::optional(node_of(*first)) : std::nullopt;
}

void SingleSearch::changed(NodeIndex n) {
  scores_.apply({{{n.position(), node_values(cluster_.node(n))}}, scores_.pair_collisions()});
  const auto at = std::lower_bound(possible_.begin(), possible_.end(), n.position(),
                                   [](const auto& candidate, std::size_t p) { return position_of(candidate) < p; });
  if (at == possible_.end() || position_of(*at) != n.position()) return;
  if (auto possible = candidate(n)) {
    *at = *possible;
  } else {
    possible_.erase(at);
  }
}

}  // namespace htools
