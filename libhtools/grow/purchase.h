// Finds the fewest nodes to buy so that a whole workload finds places, by placing it with more and more nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "grow/workload.h"
#include "htools/policy.h"

namespace htools {

// What is to be bought, and under which rules.
struct PurchaseRules {
  InstanceSpec node;  // disk, memory, cpus and spindles of a node
  NodeOptions node_options;
  bool capacity_checks = true;
};

// The result of looking for the fewest nodes.
struct NodesNeeded {
  std::optional<std::int64_t> nodes;  // none: no number of nodes helps
  std::int64_t bound = 0;             // with fewer nodes, no placement has room for the workload
  std::int64_t bound_as_placed = 0;   // the same if the present instances stay where they are
  bool largest_first = false;         // the instances must come in this order; otherwise in that of the workload
};

// Looks for the fewest nodes in the group with which all instances of the workload find places, and the cluster can
// lose any node of the groups that take them. They come in the order of the workload or, if that needs fewer nodes, the
// largest first: small ones then fill gaps rather than make them. From the bound on, numbers are tried in growing
// steps, and then between the last that was not enough and the first that was.
NodesNeeded fewest_nodes(const Cluster& cluster, GroupIndex group, const Workload& workload,
                         const PurchaseRules& rules);

// The groups of a cluster that can take instances.
struct SettledGroups {
  Cluster part;                         // the cluster without the other groups
  std::vector<GroupIndex> unsafe = {};  // groups that could not lose a node, so that nothing may be placed there
};

// Returns the groups that can take instances. Without capacity checks, all can.
SettledGroups settled_groups(const Cluster& cluster, bool capacity_checks);

}  // namespace htools
