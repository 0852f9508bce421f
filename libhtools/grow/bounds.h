// Bounds how many instances of a workload can find a place.
//
// A bound is a number that no placement exceeds, whatever the choices. It is proven by adding up: what instances take
// of a resource is never more than what the nodes have of it. All sums are of integers.
//
// - Memory: a node that takes an instance keeps at least 1 MiB unallocated.
// - N+1: after the loss of any one node, the others of its group hold all of its instances. So the memory of all
//   instances of a group fits on its nodes without the largest one. This holds for every disk template: instances with
//   drbd fail over to nodes of the group, all others are moved or created anew there.
// - Disk: an instance with drbd takes its disk twice.
// - CPUs: as many vcpus as the ratio of the policy allows.
//
// The instances that are there may move; they still take as much as before. If they stay where they are, more can be
// said, because an instance takes all that it needs from one node: the numbers of instances that fit on each node by
// one resource alone add up to a bound, and a drbd instance needs two different nodes with disk for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "grow/node_room.h"
#include "grow/workload.h"

namespace htools {

// What can run out.
enum class GrowthResource : std::uint8_t { Memory, Survival, Disk, Cpus };
inline constexpr std::size_t kGrowthResourceCount = 4;
inline constexpr std::array<std::string_view, kGrowthResourceCount> kGrowthResourceNames{"memory", "n+1", "disk",
                                                                                         "cpus"};
constexpr std::string_view name(GrowthResource r) { return kGrowthResourceNames[static_cast<std::size_t>(r)]; }

// An amount of each resource: MiB, MiB, MiB and vcpus.
using ResourceAmounts = std::array<WideAmount, kGrowthResourceCount>;

// What there is of each resource; none if it has no limit.
using ResourceSupply = std::array<std::optional<WideAmount>, kGrowthResourceCount>;

// Returns what one instance takes of each resource of the cluster, on all its nodes together.
ResourceAmounts demand_of(const Instance& instance);
// Returns what the first `count` instances of the workload take together.
ResourceAmounts demand_of(const Workload& workload, std::size_t count);

// Returns what new instances can take of each resource at most, wherever they and the others are. Without capacity
// checks, N+1 sets no limit, and nothing is returned for it.
ResourceSupply supply_of(const Cluster& cluster, bool capacity_checks);

// The most instances of a workload that can find a place.
struct Bounds {
  std::int64_t anywhere = 0;   // wherever all instances are
  std::int64_t as_placed = 0;  // if those that are there stay
  // By resource: wherever all instances are, if nothing but this resource could run out; none if it has no limit.
  std::array<std::optional<std::int64_t>, kGrowthResourceCount> by_resource;
};

// Bounds how many instances, of those that the workload has of each size, find a place on the cluster. `settled` is the
// part of the cluster whose groups take instances as it is.
Bounds bounds_of_some(const Cluster& cluster, const Cluster& settled, const Workload& workload, bool capacity_checks);

// Bounds how many instances find a place if the workload comes in its order, and none may be left out.
Bounds bounds_of_first(const Cluster& cluster, const Cluster& settled, const Workload& workload, bool capacity_checks);

}  // namespace htools
