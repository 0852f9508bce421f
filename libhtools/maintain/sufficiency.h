// Tells without balancing that switching nodes cannot lead to a cluster in which every node has room.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Conditions without which a cluster is not sufficient after balancing: all primaries are online, and every node has
// room for a wanted instance. They follow from what no move changes: instances that may not move stay, memory becomes
// free on a node only when primaries leave it, and the memory of all instances stays the same.
class SufficiencyBounds {
 public:
  // `wanted` is the instance that every node must have room for.
  SufficiencyBounds(const Cluster& cluster, const Instance& wanted);

  // Returns false if balancing certainly does not lead to a sufficient cluster. `switched` is the cluster given to the
  // constructor, but other nodes may be offline.
  bool may_suffice(const Cluster& switched) const;

 private:
  // True if memory decides nothing: amounts are negative or so large that sums may be rounded, or an instance names one
  // node as primary and secondary, so that the books of that node do not count its memory.
  bool ignores_memory_ = false;
  bool has_full_node_ = false;        // true if some node never has the memory
  double instance_memory_ = 0.0;      // MiB, of all instances
  std::vector<double> spare_memory_;  // by node: MiB for instances if the memory that is wanted stays free
  std::vector<bool> keeps_primary_;   // by node: true if one of its primaries may not move
};

}  // namespace htools
