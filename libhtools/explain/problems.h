// Finds the problems of a cluster, without what would cure them.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "explain/finding.h"
#include "trial/trial.h"

namespace htools {

// Returns the problems of the group, the worst first. Leaves the trial as it is.
std::vector<Finding> problems_of(Trial& trial, GroupIndex group, const GroupMembers& members, bool capacity_checks);

}  // namespace htools
