// Says which steps of a plan come first: what is down starts, then what rules and N+1 demand is done, then what the
// goal asks for, then balance.
#pragma once

#include <compare>
#include <cstdint>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"

namespace htools {

// What a step is for, from the most urgent.
enum class Urgency : std::uint8_t {
  Start,      // the instance is down, because its primary node is
  Departure,  // the instance leaves a node that is down
  AtRisk,     // a node becomes N+1 safe
  Rule,       // a node keeps to its policy again, or exclusion tags collide on fewer instances
  Goal,       // the instance leaves a node that is to be empty
  Balance     // all else
};

// Returns the urgency that a step of a plan from the state `start` has whatever other steps do: never AtRisk or Rule.
Urgency urgency_of(const Cluster& start, const BalanceStep& step);

// The instances for which a plan comes first, whatever else it gains.
struct Stranded {
  std::int64_t down = 0;      // their primary node is down
  std::int64_t unpaired = 0;  // their secondary node is down

  auto operator<=>(const Stranded&) const = default;
};
Stranded stranded(const Cluster& cluster, const GroupMembers& members);

}  // namespace htools
