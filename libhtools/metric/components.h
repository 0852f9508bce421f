// Computes with the values of the components of the score.
#pragma once

#include <cmath>
#include <cstddef>

#include "htools/score.h"

namespace htools {

// True if no value is infinite or NaN.
inline bool all_finite(const ComponentValues& values) {
  bool finite = true;
  for (double value : values.by_position) finite &= std::isfinite(value);
  return finite;
}

// Returns the sum of weight times value over all components, added from the first to the last, starting from 0.
inline double weighted_sum(const ComponentValues& values) {
  double score = 0.0;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    score = score + kComponents[k].weight * values[k];
  }
  return score;
}

}  // namespace htools

#ifdef __FAST_MATH__
#error "scores are exact to the last bit: compile without -ffast-math"
#endif
