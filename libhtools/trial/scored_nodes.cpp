#include "trial/scored_nodes.h"

#include <algorithm>
#include <array>

#include "metric/node_values.h"
#include "metric/ranking.h"

namespace htools {

namespace {

NodeRefs references(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
  NodeRefs refs;
  refs.reserve(nodes.size());
  for (NodeIndex n : nodes) refs.push_back(cluster.node(n));
  return refs;
}

}  // namespace

ScoredNodes::ScoredNodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes)
    : nodes_(nodes), refs_(references(cluster, nodes)), tag_pairs_(refs_), scores_(refs_) {
  for (const Node& node : refs_) entered_pairs_.push_back(node.offline ? TagPairCounts() : node.location_exclusion);
}

std::optional<std::size_t> ScoredNodes::position(NodeIndex node) const {
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
  if (at == nodes_.end() || *at != node) return std::nullopt;
  return static_cast<std::size_t>(at - nodes_.begin());
}

ScoredNodes::Candidate ScoredNodes::candidate(std::span<const NodeChange> changes, NodeIndex host,
                                              const Instance& instance) const {
  const auto host_place = position(host);
  Candidate candidate{{},
                      host_place ? tag_pairs_.collisions_with(refs_[*host_place], instance) : tag_pairs_.collisions()};
  for (const NodeChange& change : changes) {
    if (const auto place = position(change.node)) {
      candidate.changes.push_back({*place, node_values(refs_[*place], change.books)});
    }
  }
  return candidate;
}

ScoredNodes::Candidate ScoredNodes::with_primary(NodeIndex node, const NodeBooks& after,
                                                 const Instance& instance) const {
  const std::array changes{NodeChange{node, after}};
  return candidate(changes, node, instance);
}

double ScoredNodes::collisions_with(NodeIndex host, const Instance& instance) const {
  return tag_pairs_.collisions_with(refs_[*position(host)], instance);
}

std::optional<std::size_t> ScoredNodes::best(const std::vector<Candidate>& candidates) const {
  if (candidates.empty()) return std::nullopt;
  const bool finite = std::all_of(candidates.begin(), candidates.end(),
                                  [&](const Candidate& candidate) { return scores_.is_finite(candidate); });
  if (finite) return Ranking(scores_, candidates).next();
  std::vector<const Candidate*> all;
  for (const Candidate& candidate : candidates) all.push_back(&candidate);
  const std::vector<double> scores = scores_.exact(all);
  std::size_t best = 0;
  for (std::size_t c = 1; c < scores.size(); ++c) {
    if (!(scores[best] < scores[c])) best = c;
  }
  return best;
}

void ScoredNodes::changed(std::span<const NodeIndex> nodes) {
  std::vector<ChangedScores::Change> changes;
  for (NodeIndex n : nodes) {
    const auto place = position(n);
    if (!place) continue;
    const Node& node = refs_[*place];
    changes.push_back({*place, node_values(node)});
    TagPairCounts& entered = entered_pairs_[*place];
    if (node.offline || node.location_exclusion == entered) continue;
    tag_pairs_.replace(entered, node.location_exclusion);
    entered = node.location_exclusion;
  }
  if (!changes.empty()) scores_.apply(changes, tag_pairs_.collisions());
}

void ScoredNodes::assume(const NodeChange& change) {
  if (const auto place = position(change.node)) {
    scores_.apply({{{*place, node_values(refs_[*place], change.books)}}, tag_pairs_.collisions()});
  }
}

void ScoredNodes::assume_departure(const Instance& instance) {
  if (const auto place = position(instance.primary)) tag_pairs_.remove(refs_[*place], instance);
}

}  // namespace htools
