// Searches within limits such that a looser limit is not worse: what is found within a tighter one is known.
#pragma once

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/search.h"

namespace htools {

// As search_plan(), but also within tighter limits, one after the other, of round numbers: of moves from half of what
// the greedy plan makes, of GiB that are copied, and of minutes, up to the limit, or until a limit leaves so much to
// spare that looser ones change nothing. Each result is at least as good as what was found before and is within its
// limits. So a plan within one of these limits is never better than that within a looser one of them. In groups of more
// than 50 nodes, the tighter limits are on moves, whatever is limited, and fewer; of more than 500, there are none:
// there, a looser limit on copies or time can lead to a worse plan. Where the score that is asked for is not reached,
// the lowest score is searched, too. Without limits, and with an effort of 0, it is search_plan().
Ordering search_within(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                       const KnownPlans& known = {});

}  // namespace htools
