// Brings the urgent steps of a plan forward, with what they need.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "plan/ordering.h"
#include "plan/urgency.h"

namespace htools {

// The steps of a plan in the order of their urgency.
struct UrgentOrder {
  std::vector<std::size_t> order;  // positions in the plan
  // By position in the plan: what the step is for (plan/mended_nodes.h says which ones rules need), or that of a later
  // step which cannot be made without this one.
  std::vector<Urgency> urgency;
};

// Brings each step before all less urgent ones that need not come before it: a step passes others for as long as the
// rules allow both in either order. What it cannot pass becomes as urgent. The plan must be allowed. `force` is that of
// MoveRules.
UrgentOrder urgent_order(const Cluster& start, std::span<const BalanceStep> steps, bool force);

// Returns the plan in its urgent order. Where it leads does not change, but for N+1 flags that depend on the way.
Ordering most_urgent_first(const Cluster& start, const GroupMembers& members, const Ordering& plan,
                           const MoveRules& rules);

}  // namespace htools
