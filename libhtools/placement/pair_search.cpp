#include "placement/pair_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/ranking.h"
#include "placement/failure_counts.h"
#include "placement/pair_scores.h"
#include "rules/admission.h"

namespace htools {

namespace {

// Returns the values as bytes. Equal bytes mean that all values are equal to the last bit.
std::string_view bytes(const ComponentValues& values) {
  return {reinterpret_cast<const char*>(values.by_position.data()), sizeof(double) * kComponentCount};
}

}  // namespace

bool NodeClass::Variant::same_outcome(const Variant& other) const {
  return possible == other.possible && (!possible || bytes(values) == bytes(other.values));
}

bool NodeClass::same_node(const NodeClass& other) const {
  return list == other.list && possible_primary == other.possible_primary && bytes(values) == bytes(other.values) &&
         (!possible_primary || bytes(values_as_primary) == bytes(other.values_as_primary)) &&
         variants.front().same_outcome(other.variants.front()) && location_tags->tags() == other.location_tags->tags();
}

std::size_t NodeClass::hash() const {
  const std::hash<std::string_view> of;
  std::size_t h = of(bytes(values));
  if (possible_primary) h = h * 31 + of(bytes(values_as_primary));
  if (variants.front().possible) h = h * 31 + of(bytes(variants.front().values));
  return h;
}

PairSearch::PairSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance)
    : cluster_(cluster),
      instance_(instance),
      statistics_(NodeValueTable(all_nodes(cluster.nodes))),
      lists_(candidates.lists),
      secondaries_(candidates.lists.size()),
      records_(cluster.nodes.size()) {
  for (std::size_t list = 0; list < lists_.size(); ++list) {
    for (NodeIndex n : lists_[list]) records_[n.position()].list = list;
  }
  for (const auto& nodes : lists_) {
    for (NodeIndex n : nodes) enter(n);
  }
}

void PairSearch::changed(NodeIndex node) {
  statistics_.set(node.position(), node_values(cluster_.node(node)));
  if (!records_[node.position()].list) return;
  leave(node);
  enter(node);
}

NodeClass::Variant PairSearch::secondary_variant(const Node& node, NodeIndex primary) const {
  const NodeBooks after = books_with_secondary(node, instance_, primary);
  return {.possible = !check_secondary(node, after, instance_), .values = node_values(node, after)};
}

NodeClass PairSearch::describe(NodeIndex n) const {
  const Node& node = cluster_.node(n);
  const NodeBooks after = books_with_primary(node, instance_);
  NodeClass c{.list = *records_[n.position()].list,
              .location_tags = &node.facts->location_tags,
              .possible_primary = !refusal_as_primary(cluster_, node, after, instance_),
              .values = statistics_.table().values(n.position()),
              .values_as_primary = node_values(node, after),
              .variants = {},
              .members = {}};
  c.variants.push_back(secondary_variant(node, NodeIndex::none()));
  c.finite = all_finite(c.values) && (!c.possible_primary || all_finite(c.values_as_primary)) &&
             (!c.variants.front().possible || all_finite(c.variants.front().values));
  return c;
}

std::size_t PairSearch::find_or_add(NodeClass description) {
  const std::size_t hash = description.hash();
  const auto [first, last] = class_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (classes_[it->second].same_node(description)) return it->second;
  }
  std::size_t index = classes_.size();
  if (free_classes_.empty()) {
    classes_.push_back(std::move(description));
  } else {
    index = free_classes_.back();
    free_classes_.pop_back();
    classes_[index] = std::move(description);
  }
  class_by_hash_.emplace(hash, index);
  return index;
}

void PairSearch::enter(NodeIndex n) {
  const std::size_t index = find_or_add(describe(n));
  NodeClass& c = classes_[index];
  records_[n.position()].node_class = index;
  c.members.insert(std::lower_bound(c.members.begin(), c.members.end(), n), n);
  add_answers(n, c);
  set_sides(index);
}

void PairSearch::set_sides(std::size_t index) {
  const NodeClass& c = classes_[index];
  SecondarySides& sides = secondaries_[c.list];
  sides.remove(index);
  if (c.members.empty()) return;
  for (std::size_t v = 0; v < c.variants.size(); ++v) {
    const NodeClass::Variant& variant = c.variants[v];
    if (variant.possible && (v == 0 || variant.pairs > 0)) sides.add(index, v, c.values, variant.values);
  }
}

void PairSearch::add_answers(NodeIndex n, NodeClass& c) {
  Record& record = records_[n.position()];
  record.answers.clear();
  const Node& node = cluster_.node(n);
  const std::int64_t need = instance_.facts->secondary_memory();
  const std::int64_t reserved = std::max(node.books.reserved_memory, need);
  std::optional<std::int64_t> previous_amount;
  std::size_t variant = 0;
  // In descending order of memory. Amounts below 0 come from instances with less memory than none; they reserve less
  // than a node does for which there is no amount.
  const std::vector<PeerMap::Entry>& peers = node.peers.entries();
  const bool has_negative = !peers.empty() && peers.back().memory < 0;
  for (const PeerMap::Entry& peer : peers) {
    if (peer.memory >= 0 && peer.memory + need <= reserved) {
      if (has_negative) continue;
      break;
    }
    if (peer.primary == n || records_[peer.primary.position()].list != record.list) continue;
    if (previous_amount != peer.memory) {
      previous_amount = peer.memory;
      const NodeClass::Variant outcome = secondary_variant(node, peer.primary);
      const auto same = std::find_if(c.variants.begin(), c.variants.end(),
                                     [&](const NodeClass::Variant& v) { return v.same_outcome(outcome); });
      variant = static_cast<std::size_t>(same - c.variants.begin());
      if (same == c.variants.end()) {
        c.variants.push_back(outcome);
        c.finite = c.finite && (!outcome.possible || all_finite(outcome.values));
      }
    }
    if (variant == 0) continue;
    c.variants[variant].pairs += 1;
    record.answers.push_back({peer.primary, variant});
  }
}

void PairSearch::leave(NodeIndex n) {
  const Record& record = records_[n.position()];
  NodeClass& c = classes_[record.node_class];
  for (const PeerAnswer& answer : record.answers) c.variants[answer.variant].pairs -= 1;
  c.members.erase(std::lower_bound(c.members.begin(), c.members.end(), n));
  set_sides(record.node_class);
  if (!c.members.empty()) return;
  const auto [first, last] = class_by_hash_.equal_range(c.hash());
  class_by_hash_.erase(std::find_if(first, last, [&](const auto& entry) { return entry.second == record.node_class; }));
  free_classes_.push_back(record.node_class);
}

bool PairSearch::answers_specially(NodeIndex secondary, NodeIndex primary) const {
  const auto& answers = records_[secondary.position()].answers;
  return std::any_of(answers.begin(), answers.end(), [primary](const PeerAnswer& a) { return a.primary == primary; });
}

std::optional<NodePair> PairSearch::last_pair(std::size_t primary_class, std::size_t secondary_class,
                                              std::size_t variant) const {
  const auto& primaries = classes_[primary_class].members;
  const auto& secondaries = classes_[secondary_class].members;
  if (variant == 0) {
    for (auto p = primaries.rbegin(); p != primaries.rend(); ++p) {
      for (auto s = secondaries.rbegin(); s != secondaries.rend(); ++s) {
        if (*p != *s && !answers_specially(*s, *p)) return NodePair{*p, *s};
      }
    }
    return std::nullopt;
  }
  std::optional<NodePair> last;
  for (NodeIndex s : secondaries) {
    for (const PeerAnswer& answer : records_[s.position()].answers) {
      if (answer.variant != variant || records_[answer.primary.position()].node_class != primary_class) continue;
      last = std::max(last, std::optional(NodePair{answer.primary, s}));
    }
  }
  return last;
}

double PairSearch::exact_score(const Statistics& base, const NodeClass& primary, const NodeClass& secondary,
                               const NodeClass::Variant& variant) const {
  Statistics statistics = base;
  ComponentValues as_primary = primary.values_as_primary;
  as_primary[Component::LocationScore] +=
      static_cast<double>(primary.location_tags->common_with(*secondary.location_tags));
  statistics.update(primary.values, as_primary, false);
  statistics.update(secondary.values, variant.values, false);
  return statistics.score();
}

std::optional<NodePair> PairSearch::best() const {
  const auto near = near_pairs();
  if (!near) return best_by_all_pairs(statistics_.exact());
  if (near->empty()) return std::nullopt;
  const auto last = [this](const Near& n) { return last_pair(n.primary_class, n.secondary_class, n.variant); };
  if (near->size() == 1) return last(near->front());

  const Statistics base = statistics_.exact();
  std::optional<NodePair> chosen;
  double chosen_score = 0.0;
  for (const Near& n : *near) {
    const NodeClass& secondary = classes_[n.secondary_class];
    const double score = exact_score(base, classes_[n.primary_class], secondary, secondary.variants[n.variant]);
    if (chosen && score > chosen_score) continue;
    const auto pair = last(n);
    if (!chosen || score < chosen_score || *pair > *chosen) chosen = pair;
    chosen_score = score;
  }
  return chosen;
}

std::optional<std::vector<PairSearch::Near>> PairSearch::near_pairs() const {
  const Statistics& base = statistics_.statistics();
  const bool finite =
      all_finite(base.values()) &&
      std::all_of(classes_.begin(), classes_.end(), [](const NodeClass& c) { return c.members.empty() || c.finite; });
  if (!finite) return std::nullopt;

  std::vector<Near> near;
  double best = std::numeric_limits<double>::infinity();
  double error = 0.0;  // bounds the difference of any score here from the exact one
  const auto limit = [&] { return best + 2 * error; };
  const double location_weight = kComponents[position(Component::LocationScore)].weight;

  for (std::size_t list = 0; list < lists_.size(); ++list) {
    PairScores scores(base, secondaries_[list]);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      const NodeClass& c = classes_[i];
      if (c.list != list || c.members.empty() || !c.possible_primary) continue;
      scores.add_primary(i, c.values, c.values_as_primary);
    }
    scores.set_bounds();
    // Both these scores and the exact ones, which are updates too, are near those of the changed nodes.
    error = std::max(error, 2 * scores.uncertainty(statistics_.noise()));
    if (!scores.is_valid() || !std::isfinite(error)) return std::nullopt;
    scores.for_each_up_to(limit, [&](const PairScores::PrimarySide& p, const PairScores::SecondarySide& s) {
      const double shared =
          static_cast<double>(classes_[p.node_class].location_tags->common_with(*classes_[s.node_class].location_tags));
      const double score = scores.score(p, s) + location_weight * shared;
      if (score > limit() || !last_pair(p.node_class, s.node_class, s.variant)) return;
      best = std::min(best, score);
      near.push_back({score, p.node_class, s.node_class, s.variant});
    });
  }
  std::erase_if(near, [&](const Near& n) { return n.score > limit(); });
  return near;
}

// Scores all pairs, and chooses among them with the comparisons and the sort of the reference (htools of Ganeti 3.0.2).
// These define the result even if scores are not finite.
std::optional<NodePair> PairSearch::best_by_all_pairs(const Statistics& base) const {
  std::vector<NodeIndex> primaries;
  for (const auto& nodes : lists_) primaries.insert(primaries.end(), nodes.begin(), nodes.end());
  std::sort(primaries.begin(), primaries.end());

  std::optional<NodePair> chosen;
  double chosen_score = 0.0;
  for (NodeIndex p : primaries) {
    const NodeClass& primary = classes_[records_[p.position()].node_class];
    if (!primary.possible_primary) continue;
    const auto& partners = lists_[primary.list];
    std::vector<std::pair<double, std::size_t>> scored;
    for (auto s = partners.rbegin(); s != partners.rend(); ++s) {
      if (*s == p) continue;
      const NodeClass& secondary = classes_[records_[s->position()].node_class];
      const NodeClass::Variant variant = secondary_variant(cluster_.node(*s), p);
      if (variant.possible) scored.emplace_back(exact_score(base, primary, secondary, variant), s->position());
    }
    sort_by_score(scored);
    if (scored.empty() || (chosen && chosen_score < scored.front().first)) continue;
    chosen = NodePair{p, NodeIndex(scored.front().second)};
    chosen_score = scored.front().first;
  }
  return chosen;
}

}  // namespace htools
