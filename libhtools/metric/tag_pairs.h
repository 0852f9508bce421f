// How often each (location tag of the node, exclusion tag of a primary) occurs on a set of nodes together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cluster/instance.h"
#include "metric/statistics.h"

namespace htools {

// Offline nodes do not count.
class TagPairs {
 public:
  explicit TagPairs(const NodeRefs& nodes);

  // Occurrences minus distinct pairs.
  double collisions() const { return static_cast<double>(collisions_); }
  // The same after the instance has come to a node of the set as primary.
  double collisions_with(const Node& node, const Instance& instance) const;

  // The instance is about to leave a node of the set. It need not be there; then only what others have brought of the
  // same pairs is taken away.
  void remove(const Node& node, const Instance& instance);

 private:
  using Pair = std::pair<std::string, std::string>;
  using Occurrences = std::map<Pair, std::int64_t>;
  // What the instance brings to the node.
  static Occurrences pairs_of(const Node& node, const Instance& instance);
  std::int64_t count(const Pair& pair) const;
  std::int64_t collisions_after(const Occurrences& differences) const;

  Occurrences counts_;
  std::int64_t collisions_ = 0;
};

}  // namespace htools
