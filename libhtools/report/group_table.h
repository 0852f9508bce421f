// Formats the group table: one line per node group.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/index.h"
#include "cluster/cluster.h"

namespace htools {

// The numbers that the table shows for one node group.
struct GroupSummary {
  GroupIndex group;
  std::size_t nodes = 0;
  std::size_t instances = 0;
  std::size_t bad_nodes = 0;      // nodes that break the N+1 rule (survival/health.h)
  std::size_t bad_instances = 0;  // instances that have a bad node
  double score = 0.0;             // the score of the nodes of this group alone

  bool is_n1_happy() const { return bad_nodes == 0; }
};

// Returns the table with the groups in the given order. Its lines begin with three blanks.
std::string format_group_table(const Cluster& cluster, std::span<const GroupSummary> summaries);

}  // namespace htools
