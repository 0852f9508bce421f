// Chooses nodes that can be emptied and retired: those that are cheapest to empty, and whose instances find places
// elsewhere so that all nodes that are left stay N+1 safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "goals/emptying.h"
#include "htools/balance.h"

namespace htools {

// The node that would be the next to go, and why it cannot.
struct RetirementObstacle {
  NodeIndex node;
  std::vector<Staying> staying;   // what does not leave this node, or if all does, those that are retired
  std::vector<NodeIndex> unsafe;  // or: nodes that would no longer be N+1 safe
};

// The nodes to retire.
struct Retirement {
  std::vector<NodeIndex> nodes;  // in the order in which they were chosen
  // Why no further one can go; absent if the number that was asked for was reached and one more could go, or if there
  // is none.
  std::optional<RetirementObstacle> obstacle;
};

// Chooses nodes of these groups until `count` of them can go, or no further one can. The master node, nodes with
// instances that may not move, and the last online node of a group stay. The fewest copied disks come first, then the
// fewest moves, then the least migrated memory. Each set of nodes is judged by what the balancer's evacuation costs; if
// there are few sets, all are tried, else one node is added after the other.
Retirement choose_retirement(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                             std::optional<std::size_t> count, const MoveRules& rules,
                             const std::function<void(std::size_t nodes)>& on_progress = {});

// Returns a number of online nodes of the group that no placement can go below: by memory with what N+1 reserves, disk,
// virtual cpus, and instances that must not share a node or may not move.
std::size_t least_nodes(const Cluster& cluster, GroupIndex group, const MoveRules& rules);

}  // namespace htools
