// Says where a rule cannot be met, because it wants more instances apart than there are places.
#pragma once

#include <optional>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "explain/finding.h"

namespace htools {

// Returns the crowd behind a problem with a rule that wants instances apart, or with exclusion tags, if the online
// nodes of the group, or their locations, are fewer than the instances on them that have the tag. Returns nothing of
// other problems.
std::optional<Crowd> crowd_of(const Cluster& cluster, const GroupMembers& members, const Finding& finding);

}  // namespace htools
