// Taking instances out of their node groups.
#pragma once

#include <vector>

#include "allocate/allocation.h"
#include "allocate/evacuation.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// For each instance, in order: chooses a group as if the instance were a new one (the one that it is still occupies its
// old nodes), then evacuates it to the nodes of that group that were online at the beginning, by its own choice of
// nodes and with all checks. Each instance starts from where it was at the beginning, with what the earlier ones left.
// The successful ones stay on the trial.
std::vector<InstanceOutcome> change_groups(Trial& trial, const GroupChangeRequest& request,
                                           const AllocationRules& rules);

}  // namespace htools
