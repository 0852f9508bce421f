// Finds the cheapest plan that meets what the user wishes, whatever the score.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/search.h"

namespace htools {

// Searches for the plan of one node group that comes nearest to the wishes within the limits and has the lowest price,
// by the order of prices of the limits; of equal price, it has the lowest score. If the limits have `until_score`, the
// plan is to reach that, too. The plan is never dearer than one that only moves instances off nodes which are to be
// emptied.
Ordering search_cheapest(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                         SearchLimits limits, const SearchEffort& effort, const SearchWatch& watch = {});

}  // namespace htools
