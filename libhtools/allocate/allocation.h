// Finds where a new instance can be placed among the nodes of one group, and which place is best.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cluster/cluster.h"
#include "htools/allocate.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "rules/refusal.h"
#include "trial/trial.h"

namespace htools {

// The rules that say which places are allowed.
struct AllocationRules {
  bool force = false;           // leaves out the soft checks of the primary node
  bool capacity_checks = true;  // requires that every node can be vacated afterwards (capacity_check.h)
  // The full names of the only candidates; absent: all nodes are candidates.
  std::optional<std::set<std::string>> allowed_nodes;
  bool explain = false;  // lists the refusals, too
};

// An instance that is to be placed.
struct Arrival {
  Instance instance;    // the instance, without nodes
  InstanceIndex index;  // its index; for a new instance, the number of instances in the cluster
};

// try_nodes() tries every node of `candidates`; try_pairs() tries every pair of a primary from `primaries` and a
// different secondary from `secondaries`. All lists are ascending. Both judge the result as if `nodes` were the whole
// cluster. A single node is scored by a full evaluation. A pair is scored by updating the statistics of the present
// state, for the primary first; rounding makes the order matter. Among equal scores, the last candidate wins; for
// pairs, the last primary and its last secondary. Both leave the trial as it is. They throw InputError if the capacity
// check cannot be made.
Allocation try_nodes(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& candidates,
                     const Arrival& arrival, const AllocationRules& rules);
Allocation try_pairs(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& primaries,
                     const std::vector<NodeIndex>& secondaries, const Arrival& arrival, const AllocationRules& rules);

// Returns the instance placed on these nodes, with the location score that they give it.
Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place);

// Places the instance: enters it in the cluster's list and, as `index_on_nodes`, in the books of its nodes.
void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes);

}  // namespace htools
