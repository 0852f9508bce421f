// Counts how often each pair (location tag of the node, exclusion tag of a primary) occurs on a set of nodes together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cluster/instance.h"
#include "cluster/tag_counts.h"
#include "metric/statistics.h"

namespace htools {

// The counts of pairs of tags on a set of nodes. Offline nodes do not count.
class TagPairs {
 public:
  explicit TagPairs(const NodeRefs& nodes);

  // Returns the number of occurrences minus the number of distinct pairs.
  double collisions() const { return static_cast<double>(collisions_); }
  // Returns the same number if the instance came to `node`, a node of the set, as primary.
  double collisions_with(const Node& node, const Instance& instance) const;

  // Removes the pairs of an instance that is about to leave `node`, a node of the set. If the instance is not on the
  // node, this removes only pairs that other instances have added there.
  void remove(const Node& node, const Instance& instance);
  // Takes the pairs of a node that is not offline for `after`, where they were `before`.
  void replace(const TagPairCounts& before, const TagPairCounts& after);

 private:
  // A pair: the location tag of a node and the exclusion tag of an instance.
  using Pair = std::pair<std::string, std::string>;
  // The counts of pairs, or changes of counts.
  using Occurrences = std::map<Pair, std::int64_t>;
  // Returns the pairs that the instance adds to the node.
  static Occurrences pairs_of(const Node& node, const Instance& instance);
  // Adds to the count of the pair.
  void change(const TagPairCounts::Entry::first_type& pair, std::int64_t difference);
  // Returns how often the pair occurs.
  std::int64_t count(const Pair& pair) const;
  // Returns the collisions if the counts changed by `differences`.
  std::int64_t collisions_after(const Occurrences& differences) const;

  Occurrences counts_;
  std::int64_t collisions_ = 0;
};

}  // namespace htools
