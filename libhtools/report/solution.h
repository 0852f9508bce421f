// Formats the steps of a solution, one line each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/moves.h"

namespace htools {

// Formats lines one by one and still aligns their columns: each column is as wide as the longest name in the group.
class SolutionLines {
 public:
  // The cluster must outlive the object.
  SolutionLines(const Cluster& cluster, const GroupMembers& members);

  // Returns the line of a step: "   1. web1 node1:node2 => node3:node2   3.83302642 a=f r:node3 f". It shows the number
  // (counted from 1), the instance, its nodes before and after the step, the score after the step, and the move in
  // short form. Names are aliases.
  std::string line(std::size_t number, const BalanceStep& step) const;
  // Returns the same with another text for what is done.
  std::string line(std::size_t number, const BalanceStep& step, std::string_view actions) const;

 private:
  std::string placement(const Placement& placement) const;

  const Cluster& cluster_;
  std::size_t instance_width_ = 0;
  std::size_t placement_width_;
};

}  // namespace htools
