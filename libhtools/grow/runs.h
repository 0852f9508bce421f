// Places a workload again and again in random orders and, if wanted, with random sizes, and says how the results are
// distributed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "grow/placing.h"
#include "grow/workload.h"

namespace htools {

// How many runs, and how far sizes may be from the wanted ones.
struct RandomRuns {
  std::int64_t count = 100;
  double size_spread = 0.0;  // 0.1: in each run, each size is multiplied by a factor from 0.9 to 1.1
};
inline constexpr std::int64_t kMostRuns = 100000;

// The percentiles that are shown.
inline constexpr std::array<int, 7> kPercentiles{0, 5, 25, 50, 75, 95, 100};

// The distribution of the number of instances that find places.
struct Distribution {
  std::int64_t runs = 0;
  std::int64_t all_fit = 0;                                 // runs in which every instance has found a place
  std::array<std::int64_t, kPercentiles.size()> fits = {};  // by percentile: that share of runs reached no more
};

// Runs the placements on `part`, on several threads. The answer depends on the seed alone. Each run draws an order of
// the instances; their sizes are rounded to whole MiB and vcpus, and what is above 0 stays above 0.
Distribution run_randomly(const Cluster& part, const Workload& workload, const PlacingRules& rules,
                          const RandomRuns& runs, std::uint64_t seed, std::size_t threads);

}  // namespace htools
