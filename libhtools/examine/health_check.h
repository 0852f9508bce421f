// Checks the health of a cluster: counts its problems, now and after the moves that rebalancing would make.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "examine/health_statistics.h"
#include "htools/balance.h"

namespace htools {

// The parts of the check.
struct HealthCheckOptions {
  bool capacity_checks = true;  // count the nodes that cannot be emptied
  bool rebalance = true;        // find the moves and count again, if the cluster needs rebalancing
  bool recount = false;         // count again in any case
  BalanceOptions balance;
};

// The moves that rebalancing would make in one group.
struct GroupPlan {
  GroupIndex group;
  BalanceResult result;
};

// The health of a cluster.
struct HealthCheck {
  std::vector<GroupStatistics> initial;  // of each group that has nodes, in index order
  std::vector<GroupPlan> plans;          // of each group that has nodes; empty unless moves were looked for
  std::vector<GroupStatistics> after;    // after these moves; empty unless the problems were counted again
};

// Functions that are called during the check, if they are set.
struct HealthCheckObserver {
  std::function<void(const HealthCheck&)> on_initial;  // once, when the problems have been counted
  // Is called with each step that is found. `group` is the position of the group, counted from 0, of `groups`. `steps`
  // is the number of steps in the group so far.
  std::function<void(std::size_t group, std::size_t groups, std::size_t steps, const BalanceStep&)> on_step;
};

// True if a count of a group is not 0. Throws the failure of a count.
bool needs_rebalancing(const std::vector<GroupStatistics>& groups);

// Checks the cluster. A count that fails is part of its group's statistics. Throws it, after on_initial, if moves
// should be looked for.
HealthCheck check_health(const Cluster& cluster, const HealthCheckOptions& options,
                         const HealthCheckObserver& observer = {});

}  // namespace htools
