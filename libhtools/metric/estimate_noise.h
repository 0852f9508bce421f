// Bounds the rounding errors of estimates of scores: of updates of the statistics, as against evaluating all nodes.
#pragma once

#include <cmath>

namespace htools {

// The relative rounding error of the operations that make a value, with a margin: 90 times that of one operation.
constexpr double kEstimateError = 1e-14;

// Returns a bound of the difference between a variance that is evaluated and one that is updated for the change of one
// of `n` values. It covers the rounding errors of the fold of squares, of the distances from the mean, of the mean
// itself, and of the change. `size` is at least the sum of the largest absolute value, the absolute mean and the
// deviation; `largest_change` is the largest absolute change. A deviation, whose variance is at least `low`, is off by
// no more than noise / sqrt(low).
inline double variance_noise(double n, double variance, double size, double largest_change) {
  const double of_mean = kEstimateError * n * size;
  return kEstimateError * (n * variance + size * (std::sqrt(variance) + largest_change + size / n)) + of_mean * of_mean;
}

}  // namespace htools
