// Finds placement rules that contradict each other: sets of binding rules that no placement whatever keeps, even if all
// nodes were empty.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Returns the numbers of the rules of a set that contradict each other and include this one, in order; a set of one is
// a rule that contradicts the cluster. No rule can be left out of it. Empty if none was found. Instances stay in their
// node groups, and offline nodes count as no places.
std::vector<std::uint32_t> contradiction_with(const Cluster& cluster, std::uint32_t rule);

// Returns such sets, each rule in at most one of them.
std::vector<std::vector<std::uint32_t>> contradictions(const Cluster& cluster);

}  // namespace htools
