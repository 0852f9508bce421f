#include "metric/tag_pairs.h"

#include <algorithm>

namespace htools {

namespace {

// Returns the collisions of a pair with this count.
std::int64_t excess(std::int64_t count) { return std::max<std::int64_t>(0, count - 1); }

}  // namespace

TagPairs::TagPairs(const NodeRefs& nodes) {
  for (const Node& node : nodes) {
    if (!node.offline) replace({}, node.location_exclusion);
  }
}

double TagPairs::collisions_with(const Node& node, const Instance& instance) const {
  return static_cast<double>(collisions_after(pairs_of(node, instance)));
}

void TagPairs::remove(const Node& node, const Instance& instance) {
  Occurrences differences = pairs_of(node, instance);
  for (auto& [pair, difference] : differences) {
    difference = -std::min(difference, node.location_exclusion.count(pair));
  }
  collisions_ = collisions_after(differences);
  for (const auto& [pair, difference] : differences) counts_[pair] += difference;
}

void TagPairs::replace(const TagPairCounts& before, const TagPairCounts& after) {
  for (const auto& [pair, count] : before) change(pair, -count);
  for (const auto& [pair, count] : after) change(pair, count);
}

void TagPairs::change(const TagPairCounts::Entry::first_type& pair, std::int64_t difference) {
  std::int64_t& count = counts_[Pair(pair)];
  collisions_ += excess(count + difference) - excess(count);
  count += difference;
}

TagPairs::Occurrences TagPairs::pairs_of(const Node& node, const Instance& instance) {
  Occurrences pairs;
  if (node.offline || instance.facts->forthcoming) return pairs;
  for (const std::string& location : node.facts->location_tags.tags()) {
    for (const TagView& tag : instance.facts->exclusion_tags()) ++pairs[{location, tag}];
  }
  return pairs;
}

std::int64_t TagPairs::count(const Pair& pair) const {
  const auto known = counts_.find(pair);
  return known == counts_.end() ? 0 : known->second;
}

std::int64_t TagPairs::collisions_after(const Occurrences& differences) const {
  std::int64_t collisions = collisions_;
  for (const auto& [pair, difference] : differences) {
    collisions += excess(count(pair) + difference) - excess(count(pair));
  }
  return collisions;
}

}  // namespace htools
