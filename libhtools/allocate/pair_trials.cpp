#include "allocate/pair_trials.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/ranking.h"
#include "placement/failure_counts.h"

namespace htools {

PairTrials::PairTrials(const Cluster& cluster, const Statistics& statistics, const TagPairs& tag_pairs,
                       const std::vector<NodeIndex>& primaries, const std::vector<NodeIndex>& secondaries,
                       const Instance& instance, AdmissionRules primary_rules)
    : cluster_(cluster),
      statistics_(statistics),
      tag_pairs_(tag_pairs),
      primaries_(primaries),
      secondaries_(secondaries),
      instance_(instance),
      special_(cluster.nodes.size()) {
  hosts_.reserve(primaries.size());
  for (NodeIndex n : primaries) {
    const Node& node = cluster.node(n);
    const NodeBooks after = books_with_primary(node, instance);
    hosts_.push_back({refusal_as_primary(cluster, node, after, instance, primary_rules), node_values(node),
                      node_values(node, after)});
  }
  offers_.reserve(secondaries.size());
  for (std::size_t i = 0; i < secondaries.size(); ++i) {
    const Node& node = cluster.node(secondaries[i]);
    const NodeBooks after = books_with_secondary(node, instance, NodeIndex::none());
    offers_.push_back(
        {check_secondary(node, after, instance), {node_values(node), node_values(node, after)}, node.offline});
    if (offers_.back().refusal) {
      offer_failures_[*offers_.back().refusal] += 1;
    } else {
      offers_made_ += 1;
    }
    const std::int64_t need = instance.facts->secondary_memory();
    for (const PeerMap::Entry& entry : node.peers.entries()) {
      if (entry.memory + need > std::max(node.books.reserved_memory, need)) {
        special_[entry.primary.position()].push_back(i);
      }
    }
  }
  set_bounds();
}

void PairTrials::set_bounds() {
  const auto offline = [&](NodeIndex n) { return cluster_.node(n).offline; };
  if (std::any_of(primaries_.begin(), primaries_.end(), offline) ||
      std::any_of(secondaries_.begin(), secondaries_.end(), offline)) {
    return;
  }
  for (std::size_t s = 0; s < offers_.size(); ++s) {
    if (offers_[s].refusal) continue;
    const Node& node = cluster_.node(secondaries_[s]);
    sides_.add(s, 0, node_values(node), node_values(node, books_with_secondary(node, instance_, NodeIndex::none())));
  }
  PairScores& scores = bounds_.emplace(statistics_, sides_);
  for (std::size_t p = 0; p < hosts_.size(); ++p) {
    Host& host = hosts_[p];
    if (host.refusal) continue;
    host.side = scores.primaries().size();
    scores.add_primary(p, host.before, host.after);
  }
  scores.set_bounds();
  if (scores.is_valid()) {
    scores.keep_all_secondaries();
  } else {
    bounds_.reset();
  }
}

std::int64_t PairTrials::count(std::size_t primary, FailCounts& failures) const {
  const NodeIndex p = primaries_[primary];
  const std::optional<std::size_t> own = secondary_position(p);
  if (const auto refusal = hosts_[primary].refusal) {
    failures[*refusal] += static_cast<std::int64_t>(secondaries_.size()) - (own ? 1 : 0);
    return 0;
  }
  std::int64_t allowed = offers_made_;
  const auto add = [&](const std::optional<FailMode>& refusal, std::int64_t times) {
    (refusal ? failures[*refusal] : allowed) += times;
  };
  for (std::size_t m = 0; m < kFailModeCount; ++m) failures.count[m] += offer_failures_.count[m];
  if (own) add(offers_[*own].refusal, -1);
  for (std::size_t s : special_[p.position()]) {
    if (s == own) continue;
    add(offers_[s].refusal, -1);
    add(refusal_of(s, p), 1);
  }
  return allowed;
}

std::optional<ScoredSecondary> PairTrials::best(std::size_t primary) const {
  if (!bounds_) return std::nullopt;
  const NodeIndex p = primaries_[primary];
  const double location_weight =
      instance_.facts->forthcoming ? 0.0 : kComponents[position(Component::LocationScore)].weight;
  std::vector<std::pair<double, std::size_t>> near;  // scores to within rounding, and positions of secondaries
  double lowest = std::numeric_limits<double>::infinity();
  const auto limit = [&] { return lowest + 2 * PairScores::rounding(lowest); };
  const PairScores::PrimarySide& side = bounds_->primaries()[hosts_[primary].side];
  bounds_->for_each_secondary_up_to(side, limit, [&](const PairScores::SecondarySide& s) {
    const NodeIndex node = secondaries_[s.node_class];
    if (node == p || is_special(s.node_class, p)) return;
    const double score = bounds_->score(side, s) + location_weight * static_cast<double>(shared_locations(p, node));
    if (score > limit()) return;
    lowest = std::min(lowest, score);
    near.emplace_back(score, s.node_class);
  });
  std::optional<ScoredSecondary> best;
  const Statistics host = with_primary(primary, 0);
  const auto look_at = [&](std::size_t s) {
    const ScoredSecondary scored{score(primary, host, s), secondaries_[s]};
    if (best && (best->score < scored.score || (best->score == scored.score && best->secondary > scored.secondary))) {
      return;
    }
    best = scored;
  };
  for (const auto& [score, s] : near) {
    if (score <= limit()) look_at(s);
  }
  for (std::size_t s : special_[p.position()]) {
    if (secondaries_[s] != p && !refusal_of(s, p)) look_at(s);
  }
  return best;
}

std::vector<ScoredSecondary> PairTrials::in_order(std::size_t primary) {
  const NodeIndex p = primaries_[primary];
  if (hosts_[primary].refusal) return {};
  if (!scores_) {
    std::vector<ValueChange> changes;
    changes.reserve(offers_.size());
    for (const Offer& offer : offers_) changes.push_back(offer.change);
    scores_.emplace(changes);
  }
  const Statistics host = with_primary(primary, 0);
  const std::vector<double> scores = scores_->scores(host);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t s = secondaries_.size(); s-- > 0;) {
    const NodeIndex node = secondaries_[s];
    const bool special = is_special(s, p);
    if (node == p || (special ? refusal_of(s, p) : offers_[s].refusal)) continue;
    const bool common = !special && !offers_[s].offline && shared_locations(p, node) == 0;
    order.emplace_back(common ? scores[s] : score(primary, host, s), s);
  }
  sort_by_score(order);
  std::vector<ScoredSecondary> sorted;
  sorted.reserve(order.size());
  for (const auto& [score, s] : order) sorted.push_back({score, secondaries_[s]});
  return sorted;
}

std::optional<std::size_t> PairTrials::secondary_position(NodeIndex node) const {
  const auto place = std::lower_bound(secondaries_.begin(), secondaries_.end(), node);
  if (place == secondaries_.end() || *place != node) return std::nullopt;
  return static_cast<std::size_t>(place - secondaries_.begin());
}

std::optional<FailMode> PairTrials::refusal_of(std::size_t secondary, NodeIndex primary) const {
  const Node& node = cluster_.node(secondaries_[secondary]);
  return check_secondary(node, books_with_secondary(node, instance_, primary), instance_);
}

bool PairTrials::is_special(std::size_t secondary, NodeIndex primary) const {
  const std::vector<std::size_t>& special = special_[primary.position()];
  return std::binary_search(special.begin(), special.end(), secondary);
}

std::int64_t PairTrials::shared_locations(NodeIndex primary, NodeIndex secondary) const {
  const TagSet& tags = cluster_.node(primary).facts->location_tags;
  return tags.empty() ? 0 : tags.common_with(cluster_.node(secondary).facts->location_tags);
}

Statistics PairTrials::with_primary(std::size_t primary, std::int64_t shared) const {
  const Node& node = cluster_.node(primaries_[primary]);
  ComponentValues values = hosts_[primary].after;
  values[Component::LocationScore] += static_cast<double>(shared);
  Statistics statistics = statistics_;
  statistics.set_pair_collisions(tag_pairs_.collisions_with(node, instance_));
  statistics.update(hosts_[primary].before, values, node.offline);
  return statistics;
}

double PairTrials::score(std::size_t primary, const Statistics& host, std::size_t secondary) const {
  const NodeIndex p = primaries_[primary], s = secondaries_[secondary];
  const std::int64_t shared = instance_.facts->forthcoming ? 0 : shared_locations(p, s);
  Statistics statistics = shared == 0 ? host : with_primary(primary, shared);
  const Node& node = cluster_.node(s);
  statistics.update(node_values(node), node_values(node, books_with_secondary(node, instance_, p)), node.offline);
  return statistics.score();
}

}  // namespace htools
