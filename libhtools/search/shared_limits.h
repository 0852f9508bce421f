// Divides the limits of a plan among node groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "search/search.h"

namespace htools {

// What a node group may use of the limits on moves and on copies.
struct LimitShare {
  std::int64_t moves = 0;
  std::int64_t copied = 0;  // MiB
};

// Returns for each group what it uses if all groups are balanced greedily together: of the next steps of all groups,
// the one that lowers its score most is made, until a limit is reached. Limits that are not set do not bind; all shares
// are 0 if neither is set, or there is a single group.
std::vector<LimitShare> divided_limits(const Cluster& start, const std::vector<GroupMembers>& groups,
                                       const SearchRules& rules, const SearchLimits& limits);

// Returns the limits without these shares, which are kept for other groups.
SearchLimits limits_without(SearchLimits limits, std::span<const LimitShare> kept);

}  // namespace htools
