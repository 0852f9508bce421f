// How often each (location tag of the node, exclusion tag of a primary) occurs on a set of nodes together.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "cluster/instance.h"
#include "metric/statistics.h"

namespace htools {

class TagPairs {
 public:
  // An instance comes to a node as primary, or leaves it.
  struct Change {
    std::reference_wrapper<const Node> node;
    bool arrives;
  };

  // Offline nodes do not count.
  explicit TagPairs(const NodeRefs& nodes);

  // Occurrences minus distinct pairs, as they are and after the changes, whose nodes are of the set.
  double collisions() const { return static_cast<double>(collisions_); }
  double collisions_after(std::span<const Change> changes, const Instance& instance) const;

 private:
  using Pair = std::pair<std::string, std::string>;
  std::map<Pair, std::int64_t> counts_;
  std::int64_t collisions_ = 0;
};

}  // namespace htools
