// Divides the steps of a solution into job sets: groups of steps that can be carried out at the same time.
#pragma once

#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"

namespace htools {

// Returns the job sets in order, as parts of `steps`. The steps of a set are consecutive and share no node. Sets are
// collected from the last step backwards: a step joins the set of the step after it if it shares no node with that set.
std::vector<std::span<const BalanceStep>> job_sets(const Cluster& cluster, std::span<const BalanceStep> steps);

}  // namespace htools
