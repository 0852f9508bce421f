// Defines what is to be placed and by which rules, and puts an instance on its nodes.
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

// Returns the instance placed on these nodes, with the location score that they give it.
Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place);

// Enters the instance in the books of its nodes as `index`.
void enter(Trial& trial, const Instance& instance, InstanceIndex index);

// Places the instance: enters it in the cluster's list and, as `index_on_nodes`, in the books of its nodes.
void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes);

}  // namespace htools
