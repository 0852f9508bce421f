// Finds the nodes that a new instance may go to at all, before any of its sizes are considered.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// The online nodes of allocable groups, in ascending order. If the disk template needs a secondary node, both nodes of
// a pair come from one list: there is one list per group, without the groups that have only one such node. Otherwise
// there is one list with all nodes.
struct Candidates {
  bool pairs = false;
  std::vector<std::vector<NodeIndex>> lists;

  bool empty() const { return lists.empty(); }
};

// Returns the candidates for an instance with that disk template. `allocable` says for each group whether instances may
// be placed in it.
Candidates find_candidates(const Cluster& cluster, const std::vector<bool>& allocable, DiskTemplate disk_template);

}  // namespace htools
