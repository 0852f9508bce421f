// The steps of a solution, one line each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "rules/move.h"

namespace htools {

// Lines that are aligned although they are made one by one: columns are as wide as the group's names.
class SolutionLines {
 public:
  // Both must outlive the object.
  SolutionLines(const Cluster& cluster, const GroupMembers& members);

  // "   1. web1 node1:node2 => node3:node2   3.83302642 a=f r:node3 f": number (from 1), instance, placements before
  // and after, score after the step, and the move in short. Names are aliases.
  std::string line(std::size_t number, const BalanceStep& step) const;

 private:
  std::string placement(const Placement& placement) const;

  const Cluster& cluster_;
  std::size_t instance_width_ = 0;
  std::size_t placement_width_;
};

}  // namespace htools
