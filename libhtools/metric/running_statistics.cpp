#include "metric/running_statistics.h"

#include <algorithm>
#include <cmath>

namespace htools {

namespace {

// Sums drift apart too, so the bound of the noise of a change holds for this many changes of sums at most.
constexpr int kMostChanges = 16;
// 90 units in the last place of 1. The rounding errors of a change come to fewer: one of the variance, and up to 82 of
// the square of the largest value, divided by the number of nodes.
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
