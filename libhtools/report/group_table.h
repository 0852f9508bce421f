// The group table: one line per node group.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/index.h"
#include "cluster/cluster.h"

namespace htools {

// A node group in numbers.
struct GroupSummary {
  GroupIndex group;
  std::size_t nodes = 0;
  std::size_t instances = 0;
  std::size_t bad_nodes = 0;      // survival/health.h
  std::size_t bad_instances = 0;  // those that have a bad node
  double score = 0.0;             // of the group's nodes alone

  bool is_n1_happy() const { return bad_nodes == 0; }
};

// In the order given. The lines begin with three blanks.
std::string format_group_table(const Cluster& cluster, std::span<const GroupSummary> summaries);

}  // namespace htools
