// Says whether a step of a plan is made for the loads of instances, rather than for a resource.
#pragma once

#include <string_view>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/score.h"

namespace htools {

// Returns what the components of the score that count loads amount to: "number of instances" if each instance has the
// load of which nothing else is known, "load of instances" if loads are known, or nothing if all loads are 0.
std::string_view load_words(const Cluster& cluster, const GroupMembers& members);

// True if a step lowers the score most by the loads: what it lowers of memory, disk, virtual CPUs, or reserved memory
// is less. The scores are those before and after it.
bool serves_loads(const Score& before, const Score& after);

}  // namespace htools
