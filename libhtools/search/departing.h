// Extends plans that leave instances on nodes which are to be emptied.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/search.h"

namespace htools {

// Returns the plan, extended by moves that bring further instances off the nodes to be emptied, one after the other.
// For each, the cheapest way of a few moves is looked for, of which the others make room: annealing overlooks a way
// whose first moves gain nothing, where instances must follow each other through the only gap. Limits are not looked
// at. Returns the plan as it is if no such way was found.
Ordering with_further_departures(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                 const Ordering& plan);

}  // namespace htools
