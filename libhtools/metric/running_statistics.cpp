#include "metric/running_statistics.h"

#include <algorithm>
#include <cmath>

namespace htools {

namespace {

// After so many changes, the statistics are evaluated anew.
constexpr int kMostChanges = 16;
// The relative rounding error of a change, with a margin: 90 times that of one operation. The variance takes part in
// one operation. The square of the largest value, divided by the number of nodes, comes with up to 82 errors: 18 of
// this change, and 64 of the sum, which has up to 4 from each of the changes since the last evaluation.
constexpr double kError = 1e-14;

}  // namespace

void RunningStatistics::set(std::size_t node, const ComponentValues& values) {
  const ComponentValues before = table_.values(node);
  table_.set(node, values);
  if (++changes_ == kMostChanges) {
    statistics_ = exact();
    noise_ = {};
    changes_ = 0;
    return;
  }
  statistics_.update(before, values, !table_.place(node).online);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (before[k] == values[k]) continue;
    const double mean = statistics_.sums()[k] / statistics_.online();
    const double size = std::max({std::abs(before[k]), std::abs(values[k]), std::abs(mean)});
    noise_[k] += kError * (statistics_.variances()[k] + size * size / statistics_.online());
  }
}

}  // namespace htools
