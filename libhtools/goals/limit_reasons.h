// Says which steps of a plan a limit on what nodes use has forced.
#pragma once

#include "cluster/cluster.h"
#include "plan/plan.h"
#include "search/wishes.h"

namespace htools {

// Gives steps that would only balance the reason that is true: "limit: memory of h1 85 -> 78 %" if the node is above
// the highest share, or nodes are further apart than they may be, and the step takes something off the node. The shares
// are those that the limits speak of. `start` is the state in which the first step is made.
void name_limits(Plan& plan, const Cluster& start, const Wishes& wishes);

}  // namespace htools
