#include "metric/tag_pairs.h"

#include <algorithm>

namespace htools {

TagPairs::TagPairs(const NodeRefs& nodes) {
  for (const Node& node : nodes) {
    if (node.offline) continue;
    for (const auto& [pair, count] : node.location_exclusion) {
      counts_[Pair(pair)] += count;
    }
  }
  for (const auto& [pair, count] : counts_) collisions_ += count - 1;
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
  const auto excess = [](std::int64_t count) { return std::max<std::int64_t>(0, count - 1); };
  std::int64_t collisions = collisions_;
  for (const auto& [pair, difference] : differences) {
    collisions += excess(count(pair) + difference) - excess(count(pair));
  }
  return collisions;
}

}  // namespace htools
