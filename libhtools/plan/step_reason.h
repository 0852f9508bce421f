// Says in a few words why a step of a plan is made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/node.h"
#include "htools/balance.h"

namespace htools {

// A node that a step touches, before and after it.
struct TouchedNode {
  Node before;
  Node after;
};

// Returns the offline node that the instance leaves with the step: as its primary, if it is that. Returns none if it
// leaves no offline node. `cluster` may be any state; only offline nodes count.
NodeIndex evacuated_node(const Cluster& cluster, const BalanceStep& step);

// Returns the instances that a step takes apart: the one that moves, and those with an exclusion tag in common with it
// that its primary node has in `cluster`, the state before the step. Returns none if the primary node stays, or if no
// other instance has a common tag.
std::vector<InstanceIndex> separated_by(const Cluster& cluster, const BalanceStep& step);

// Returns the reason of a step, by the nodes that it touches, the name of the offline node that the instance leaves
// (empty if there is none), and the names of the instances that it takes apart. It is the first of these that applies:
// the instance leaves an offline node, a node becomes N+1 safe, a node that is above a
// limit of its policy comes nearer to it ("policy: cpus of node2"), exclusion tags collide on fewer instances
// ("apart: web1, web2"), the step is made for the loads of instances ("balance: number of instances"), or the largest
// decrease of a node's use: "balance: memory of node5 80 -> 71 %". If nothing decreases by a whole per cent, it is
// "balance". `loads` is what plan/served_loads.h calls the loads if the step is made for them, otherwise empty.
std::string step_reason(std::span<const TouchedNode> nodes, std::string_view evacuated,
                        const std::vector<std::string>& separated, std::string_view loads);

}  // namespace htools
