// Taking instances out of their node groups.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "placement/allocation.h"
#include "placement/evacuation.h"
#include "placement/request.h"

namespace htools {

// For each instance, in order: chooses a group as if the instance were a new one (the one that it is still occupies its
// old nodes), then evacuates it to the nodes of that group that were online at the beginning, by its own choice of
// nodes and with all checks. Each instance starts from where it was at the beginning, with what the earlier ones left.
// The cluster is changed by the successful ones.
std::vector<InstanceOutcome> change_groups(Cluster& cluster, const GroupChangeRequest& request,
                                           const AllocationRules& rules);

}  // namespace htools
