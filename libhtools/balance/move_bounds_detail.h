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

// The kinds that have a target: those by which it becomes primary, those by which it becomes secondary, and all.
inline constexpr std::array kPrimaryKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                          number(MoveKind::ReplaceAndFailover)};
inline constexpr std::array kSecondaryKinds{number(MoveKind::ReplaceSecondary), number(MoveKind::FailoverAndReplace)};
inline constexpr std::array kTargetKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                         number(MoveKind::ReplaceAndFailover), number(MoveKind::ReplaceSecondary),
                                         number(MoveKind::FailoverAndReplace)};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr Position index(std::size_t i) { return static_cast<Position>(i); }
constexpr double weight(Component c) { return kComponents[position(c)].weight; }
// Returns the square root; 0 for negative arguments, which rounding may cause.
inline double root(double square) { return std::sqrt(std::max(0.0, square)); }

// Returns the weighted sum of the node's values of those components that are plain sums, except LocationScore, which
// has a term of its own (MoveBounds::location_term()).
double weighted_sums(const Node& node, const ComponentValues& values);

}  // namespace htools::detail
