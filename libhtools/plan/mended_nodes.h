// Finds the steps of a plan that mend nodes: those after which a node is N+1 safe, or keeps to its policy.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "plan/step_reason.h"

namespace htools {

// A node that something is wrong with, and the steps that see to it.
struct MendedNode {
  NodeIndex node;
  ServedKind kind = ServedKind::NPlusOne;  // or Policy
  // Positions in the plan, in ascending order. Each step leaves the node. Together they mend it, once the instances on
  // nodes that are down have left them, and none of them can be spared for that; what copies little is preferred. If
  // the plan does not mend the node, or only with further steps, all steps that leave it until it is mended.
  std::vector<std::size_t> steps = {};
};

// Returns the online nodes that something is wrong with at the start of the plan.
std::vector<MendedNode> mended_nodes(const Cluster& start, std::span<const BalanceStep> steps);

}  // namespace htools
