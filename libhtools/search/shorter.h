// Finds shorter variants of a plan.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "search/search.h"

namespace htools {

// Returns plans with fewer moves: one that leads to where the plan leads, without moves that cancel each other; those
// in which an instance that makes a detour does not come back from it; and those in which one of the instances that are
// not on emptied nodes stays where it is. Each is allowed step by step; they may lead farther from the goal. None of a
// plan with many moves.
std::vector<Ordering> shorter_plans(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                    const Ordering& plan);

}  // namespace htools
