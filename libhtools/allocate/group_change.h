// Moves instances to other node groups.
#pragma once

#include <vector>

#include "allocate/allocation.h"
#include "allocate/evacuation.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// Moves the instances, one after the other. For each one, chooses a group as for a new instance, while the instance
// still occupies its old nodes. Then evacuates it to the online nodes of that group; the evacuation chooses the nodes
// itself and makes all checks. Each instance starts from its original place, on the cluster as the earlier ones have
// left it. The successful moves stay on the trial.
std::vector<InstanceOutcome> change_groups(Trial& trial, const GroupChangeRequest& request,
                                           const AllocationRules& rules);

}  // namespace htools
