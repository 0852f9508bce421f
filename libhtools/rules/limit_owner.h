// Says who has set a limit that refuses a placement.
#pragma once

#include "cluster/cluster.h"
#include "htools/refusal.h"

namespace htools {

// Returns the owner of the limit on this node. A ratio that differs from that of the group's policy is the user's. A
// limit of the group's policy belongs to the cluster if the policy of the cluster has the same one.
LimitOwner limit_owner(const Cluster& cluster, NodeIndex node, AdmissionLimit limit);

}  // namespace htools
