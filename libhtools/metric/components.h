// Computes with the values of the components of the score.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "htools/score.h"

namespace htools {

// True if no value is infinite or NaN.
inline bool all_finite(const ComponentValues& values) {
  // The exponent of infinities and NaN has all bits set, so that one more lets it overflow into the sign. (Without
  // branches, because placements ask this for each candidate.)
  constexpr std::uint64_t kExponent = 0x7ff0000000000000, kOne = 0x0010000000000000;
  std::uint64_t overflow = 0;
  for (double value : values.by_position) overflow |= (std::bit_cast<std::uint64_t>(value) & kExponent) + kOne;
  return overflow >> 63 == 0;
}

// True if component `k` adds up over online nodes.
constexpr bool is_sum(std::size_t k) {
  return kComponents[k].nodes == NodeSet::Online && kComponents[k].aggregation != Aggregation::Deviation;
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
