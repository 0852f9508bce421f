#include "metric/tag_pairs.h"

#include <algorithm>

namespace htools {

TagPairs::TagPairs(const NodeRefs& nodes) {
  for (const Node& node : nodes) {
    if (node.offline) continue;
    for (const auto& [pair, count] : node.location_exclusion.entries()) counts_[pair] += count;
  }
  for (const auto& [pair, count] : counts_) collisions_ += count - 1;
}

double TagPairs::collisions_after(std::span<const Change> changes, const Instance& instance) const {
  if (instance.exclusion_tags.empty() || instance.forthcoming) return collisions();
  std::map<Pair, std::int64_t> differences;
  for (const Change& change : changes) {
    const Node& node = change.node;
    if (node.offline) continue;
    for (const std::string& location : node.location_tags.tags()) {
      for (const std::string& tag : instance.exclusion_tags) differences[{location, tag}] += change.arrives ? 1 : -1;
    }
  }
  const auto excess = [](std::int64_t count) { return std::max<std::int64_t>(0, count - 1); };
  std::int64_t collisions = collisions_;
  for (const auto& [pair, difference] : differences) {
    const auto known = counts_.find(pair);
    const std::int64_t before = known == counts_.end() ? 0 : known->second;
    collisions += excess(before + difference) - excess(before);
  }
  return static_cast<double>(collisions);
}

}  // namespace htools
