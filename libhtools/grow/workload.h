// Describes the instances that are to come: their sizes, and the order in which they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "htools/allocate.h"

namespace htools {

// Instances that do not differ in anything that a placement looks at.
struct WorkloadSize {
  Instance instance;         // prepared, without nodes and without a name of its own
  std::int64_t present = 0;  // how many of them are there now
  bool has_tags = false;     // its tags matter to a placement
};

// The instances that are to come.
struct Workload {
  std::vector<WorkloadSize> sizes;   // the most frequent one first
  std::vector<std::uint32_t> order;  // for each instance, in the order of arrival: the position of its size

  // Returns how many of the first `count` instances have which size.
  std::vector<std::int64_t> counts(std::size_t count) const;
  std::vector<std::int64_t> counts() const { return counts(order.size()); }
};

// The largest growth, in per cent of what is there.
inline constexpr std::int64_t kMostGrowthPercent = 10000;
// The largest number of instances in a workload.
inline constexpr std::size_t kMostArrivals = 10'000'000;

// A mix with more sizes than this is simplified: sizes that differ by little become one, their mean.
inline constexpr std::size_t kMostMixSizes = 32;

// Returns `count` further instances with the sizes of the cluster's own: after each whole number of mixes, every size
// has occurred in proportion, and within a mix rare sizes are spread out evenly. Copies have no tags, and they run.
// Forthcoming instances, and those with negative amounts, are left out. Throws InputError if that leaves none.
Workload present_mix(const Cluster& cluster, std::size_t count);

// Returns the number of instances that present_mix() looks at.
std::int64_t mix_count(const Cluster& cluster);

// Returns the workload of these instances, in their order. `exclusion_tags` are prefixes besides those that the
// cluster's own tags name (cluster/tags.h).
Workload listed_workload(const Cluster& cluster, const std::vector<NewInstance>& instances,
                         const std::vector<std::string>& exclusion_tags);

// Returns "1 GiB memory, 10 GiB disk, 2 vcpus, drbd" in the units that fit.
std::string size_text(const Instance& instance);

}  // namespace htools
