// Defines helpers that the source files of MoveBounds share. Internal to them and to the search for the best move.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "balance/move_bounds.h"

namespace htools::detail {

using Position = Eigen::Index;

constexpr std::size_t number(MoveKind kind) { return MoveBounds::number(kind); }

// The kinds that have a target: first those by which it becomes primary.
inline constexpr std::array kTargetKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                         number(MoveKind::ReplaceAndFailover), number(MoveKind::ReplaceSecondary),
                                         number(MoveKind::FailoverAndReplace)};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Roots are computed in single precision, in about a quarter of the time. Sums of them are lowered by this factor,
// which covers the rounding of each root and of each sum (2^-24 each, and there are fewer than 16).
inline constexpr double kLowered = 1.0 - 0x1p-20;
// In single precision, each operation and each operand is off by up to 2^-24 of itself. The sum of squares after a move
// is computed from a few products of sums of a few terms; no more than 14 such errors of its largest possible terms
// come together. It is lowered beforehand by this multiple of these terms.
inline constexpr double kSingleError = 20 * 0x1p-24;
// Upper limits that are converted to single precision, and sums of up to 50 of them, are raised by this factor.
inline constexpr double kRaised = 1.0 + 0x1p-17;

constexpr Position index(std::size_t i) { return static_cast<Position>(i); }
constexpr double weight(Component c) { return kComponents[position(c)].weight; }
// Returns the square root; 0 for negative arguments, which rounding may cause.
inline double root(double square) { return std::sqrt(std::max(0.0, square)); }

// Returns the weighted sum of the node's values of those components that are plain sums, except LocationScore, which
// has a term of its own (MoveBounds::location_term()).
double weighted_sums(const Node& node, const ComponentValues& values);

}  // namespace htools::detail

namespace htools {

// A lane for each mover: left(), in single precision and never above it.
struct MoveBounds::LeftOfEach {
  const float *settled, *shift;
  float lowered, turn;
  float operator[](std::ptrdiff_t m) const { return lowered + (settled[m] - turn * shift[m]); }
};

// What the arrival of a mover makes of the sum of squares of a column.
struct MoveBounds::Arrival {
  double left;  // the sum after the departure: see left()
  double turn;  // the shift of the mean by the departure
  double most;  // the share of a change of one value that remains when the mean has followed
  double inverse_most;

  // Returns the lowest sum if a value at this distance from the mean changes by an amount from `least` to `largest`.
  // The sum is a quadratic function of the change.
  double square(double least, double largest, double distance) const {
    const double slope = distance - turn, lowest = -slope * inverse_most;
    const double raised = lowest > least ? lowest : least;
    const double change = raised < largest ? raised : largest;
    return left + change * (2 * slope + most * change);
  }
};

// A range of changes of one value.
struct MoveBounds::ChangeRange {
  double least = 0.0, largest = 0.0;
};

inline MoveBounds::ChangeRange MoveBounds::range_of_arrival(Eigen::Index m, double amount, Eigen::Index k) const {
  const double low = amount * lowest_factor_[k], high = amount * highest_factor_[k];
  ChangeRange range{low < high ? low : high, low < high ? high : low};
  if (!exclusive_storage_) return range;
  const double spindles = spindle_amount_[m];
  const double less = spindles * lowest_spindle_factor_[k], more = spindles * highest_spindle_factor_[k];
  return {range.least + std::min(less, more), range.largest + std::max(less, more)};
}

inline MoveBounds::Arrival MoveBounds::arrival_of(const Departures& d, Eigen::Index m, Eigen::Index k) const {
  const double most = 1.0 - inverse_count_;
  if (most == 0)
    return {-detail::kInfinity, 0.0, 1.0, 1.0};  // a single value is always the mean, and all squares are 0
  return {left(d, m, k), inverse_count_ * d.shift(m, k), most, 1.0 / most};
}

inline MoveBounds::LeftOfEach MoveBounds::left_of_each(const Departures& d, Eigen::Index k) const {
  return {d.settled_single.col(k).data(), d.shift_single.col(k).data(), lowered_squares_[k], turn_[k]};
}

}  // namespace htools
