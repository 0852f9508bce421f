// Makes the plan that searches start from, and must beat.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/ordering.h"

namespace htools {

// Returns the balancer's plan with at most so many steps; -1: to the end.
Ordering greedy_plan(const Cluster& start, const GroupMembers& members, const BalanceOptions& options,
                     std::int64_t max_steps = -1);

}  // namespace htools
