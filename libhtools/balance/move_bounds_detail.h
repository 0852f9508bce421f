// What the parts of MoveBounds share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "balance/move_bounds.h"

namespace htools::detail {

using Position = Eigen::Index;

constexpr std::size_t number(MoveKind kind) { return MoveBounds::number(kind); }

// The kinds that have a target, by what becomes of it.
inline constexpr std::array kPrimaryKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                          number(MoveKind::ReplaceAndFailover)};
inline constexpr std::array kSecondaryKinds{number(MoveKind::ReplaceSecondary), number(MoveKind::FailoverAndReplace)};
inline constexpr std::array kTargetKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                         number(MoveKind::ReplaceAndFailover), number(MoveKind::ReplaceSecondary),
                                         number(MoveKind::FailoverAndReplace)};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr Position index(std::size_t i) { return static_cast<Position>(i); }
constexpr double weight(Component c) { return kComponents[position(c)].weight; }
inline double root(double square) { return std::sqrt(std::max(0.0, square)); }

// The components that are plain sums and that the node alone determines, weighted.
double weighted_sums(const Node& node, const ComponentValues& values);

}  // namespace htools::detail
