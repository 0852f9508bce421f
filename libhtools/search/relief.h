// Relieves the fullest nodes with few moves: where a search begins that is to meet limits on what nodes use.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/search.h"

namespace htools {

// Returns moves of a node group that bring it nearer to the limits of the wishes. Each of them takes an instance off
// the node that is farthest from them, to where the group comes nearest to them; of equal moves, it is the one with the
// lowest price. The moves end where the limits are met, or no such move helps.
Ordering relieving_moves(const Cluster& start, const GroupMembers& members, const SearchRules& rules, PriceOrder order);

}  // namespace htools
