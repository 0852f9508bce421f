// Says which steps of a plan come first: what is down starts, then what rules and N+1 demand is done, then what the
// goal asks for, then balance.
#pragma once

#include <compare>
#include <cstdint>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "plan/ordering.h"

namespace htools {

// What a step is for, from the most urgent.
enum class Urgency : std::uint8_t {
  Start,      // the instance is down, because its primary node is
  Departure,  // the instance leaves a node that is down
  Rule,    // the instance leaves a node that is not N+1 safe or exceeds its policy, or one whose exclusion tags collide
  Goal,    // the instance leaves a node that is to be empty
  Balance  // all else
};

// Returns the urgency of a step of a plan that starts from the state `start`. It does not depend on the order of steps.
Urgency urgency_of(const Cluster& start, const BalanceStep& step);

// The instances for which a plan comes first, whatever else it gains.
struct Stranded {
  std::int64_t down = 0;      // their primary node is down
  std::int64_t unpaired = 0;  // their secondary node is down

  auto operator<=>(const Stranded&) const = default;
};
Stranded stranded(const Cluster& cluster, const GroupMembers& members);

// Returns the plan with each step before all less urgent ones that need not come before it: a step passes others for as
// long as the rules allow both in either order. Where the plan leads does not change, but for N+1 flags that depend on
// the way. The plan must be allowed.
Ordering most_urgent_first(const Cluster& start, const GroupMembers& members, const Ordering& plan,
                           const MoveRules& rules);

}  // namespace htools
