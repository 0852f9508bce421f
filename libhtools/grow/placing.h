// Places the instances of a workload one after the other, each where hail would place it.
//
// The place of an instance is the one with the best score among those that the rules allow and after which every node
// can still be vacated (survival/capacity_check.h). To be fast, a series of instances is first placed by score and
// admission alone, with searches that are kept from one instance to the next (placement/). Then the check looks at the
// end of the series: a node that can be vacated there could be vacated with fewer instances, too. (The check tries one
// way to vacate a node, step by step. In about one of a thousand random clusters it finds that with more instances and
// not with fewer; the allocator would then have taken another place. With a check after each instance, 800 nodes take
// 22 times as long.) The first instance whose place fails it is found by halving the series. Only that instance is
// placed by the allocator itself, which tries all places. Of places with equal scores in different groups, the one on
// the last node is taken, rather than the one in the last group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "grow/workload.h"
#include "htools/moves.h"

namespace htools {

// Selects what a placement must obey, and when placing ends.
struct PlacingRules {
  bool capacity_checks = true;    // every node must be able to be vacated after each placement
  bool stops_at_refusal = false;  // otherwise the instances after a refused one are placed, too
};

// Where the instances of a workload went.
struct Placed {
  std::vector<std::optional<Placement>> places;  // by instance, up to the last one that was tried; none: refused
  std::vector<std::int64_t> by_size;             // how many of each size found a place
  std::optional<std::size_t> first_refused;      // position of the instance in the workload
  std::int64_t total = 0;
};

// Places the instances of `order` (positions of sizes) on a copy of the cluster. Every node of the cluster must be
// vacatable at first if capacity checks are on.
Placed place_workload(const Cluster& cluster, const std::vector<WorkloadSize>& sizes,
                      std::span<const std::uint32_t> order, const PlacingRules& rules);

// Returns the cluster with the first `count` instances of the workload at their places.
Cluster with_placed(const Cluster& cluster, const std::vector<WorkloadSize>& sizes,
                    std::span<const std::uint32_t> order, const Placed& placed, std::size_t count);

}  // namespace htools
