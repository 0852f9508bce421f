// Which nodes a new instance may go to at all, before any of its sizes are looked at.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Online nodes of allocable groups, ascending. For templates with a secondary, a pair takes both nodes from one list
// (one list per group; groups with a single such node are left out); otherwise there is one list with all nodes.
struct Candidates {
  bool pairs = false;
  std::vector<std::vector<NodeIndex>> lists;

  bool empty() const { return lists.empty(); }
};

// `allocable`: by group.
Candidates find_candidates(const Cluster& cluster, const std::vector<bool>& allocable, DiskTemplate disk_template);

}  // namespace htools
