// Finds cheapest ways in small node groups, where most ways can be looked at: all instances may make room for others,
// any number of times. Larger groups are left to order_moves() and the balancer.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/cheapest_way.h"
#include "plan/ordering.h"
#include "trial/trial.h"

namespace htools {

// The most nodes of a small group. Looking for a way takes up to a tenth of a second.
inline constexpr std::size_t kSmallGroup = 6;

// Returns the cheapest steps to wanted places that cost less than `below`, if that is set; nothing if none were found,
// or the group is too large. Each detour enables the next step that is none. The trial is as before in the end.
std::optional<Ordering> cheapest_order(Trial& trial, const GroupMembers& members,
                                       const std::vector<WantedPlacement>& wanted, const MoveRules& rules,
                                       const std::optional<WayPrice>& below);

// Returns the cheapest way after which none of the instances is on one of the nodes, which count as offline already,
// likewise.
std::optional<Way> cheapest_emptying(Trial& trial, const GroupMembers& members, std::span<const NodeIndex> nodes,
                                     const MoveRules& rules, const std::optional<WayPrice>& below);

// Returns the best way in this order of prices after which `is_goal` is true; nothing if none was found, or the group
// is too large. Nothing bounds what is left of such a way, so far fewer groups are small enough to look at all ways.
std::optional<Way> best_way_to(Trial& trial, const GroupMembers& members, const MoveRules& rules, PriceOrder order,
                               const std::function<bool(Trial&)>& is_goal);

}  // namespace htools
