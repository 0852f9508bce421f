// Finds targets whose moves need no bounds of their own, because there are better targets.
//
// After a step, the remembered bound of a mover must also hold for its moves to the nodes that have changed. It does so
// already if it holds for the moves to a node that has not changed and is at least as good a target for every mover:
// the arrival of a mover adds no more to any sum of squares, and the terms of reserved memory and of N+1 failures are
// not worse, and it refuses no other movers. Such a node is called a substitute here. Most nodes that a step leaves
// behind are near the means, and with thousands of nodes nearly all of them have substitutes.
//
// A substitute is none for the movers that are on it, nor for those for whose failure it, or their host, reserves
// memory already. So two substitutes are taken, and few movers are left for which both are none. Balancing takes 0.7 of
// the time on 2,000 nodes, and the first 1,000 steps on 10,000 nodes half of it.
#include <algorithm>
#include <cmath>

#include "balance/move_bounds.h"
#include "balance/move_bounds_detail.h"

namespace htools {

using namespace detail;

namespace {

// A target with more exceptions is no substitute.
constexpr std::size_t kMostExceptions = 32;

}  // namespace

// Let `delta` be the scaled change of a reserved amount at `distance` from the mean. Its total changes the score by
// total_ratio_ * delta, and its deviation by the change of root(left + delta * (2 * distance + (1 - 1/n) * delta -
// 2 * shift / n)). So the score rises with delta if total_ratio_ is above (|distance| + |shift| / n) / root. If it is
// even above that plus delta / root, a target with more reserved memory already is the better one, although it may be
// farther from the mean: what is added to it is less, by at least the difference.
bool MoveBounds::total_outweighs_deviation() const {
  const Position k = reserved_;
  const double farthest = std::max(highest_distance_[k], -lowest_distance_[k]);
  const double reach =
      largest_lowering_[k] + 2 * std::abs(mean_shift_[k]) * largest_shift_[k] + 2 * farthest * largest_arrival_[k];
  const double most = farthest + inverse_count_ * largest_shift_[k] + largest_arrival_[k];
  return total_ratio_ * root(squares_[k] - slack_[k] - reach * kRaised) > most * kRaised;
}

bool MoveBounds::is_substitute(Position other, Position t, bool as_primary) const {
  for (Position k = 0; k < reserved_; ++k) {
    if (largest_arrival_[k] == 0 || !(as_primary || columns_[static_cast<std::size_t>(k)].model->changes_secondary))
      continue;
    const double factor = relative_factor_(other, k), old_factor = relative_factor_(t, k);
    if (factor == old_factor) {
      if ((values_(other, k) - values_(t, k)) * factor > 0) return false;
      continue;
    }
    // An arrival adds amount * factor * (2 * distance + (1 - 1/n) * amount * factor - 2 * shift / n) to the sum of
    // squares. (A rounded distance must not make a value the better one, since the sum may be 0.)
    const double pull = factor * distance_(other, k), old_pull = old_factor * distance_(t, k);
    const double growth = std::max(0.0, factor * factor - old_factor * old_factor);
    const double turn = inverse_count_ * largest_shift_[k] + rounding_[k];
    if (2 * (pull - old_pull) + largest_arrival_[k] * growth + 2 * turn * std::abs(factor - old_factor) +
            0x1p-48 * (std::abs(pull) + std::abs(old_pull)) >
        0) {
      return false;
    }
  }
  if (!as_primary && factor_(other, reserved_) > factor_(t, reserved_)) return false;
  if (!as_primary && reserved_memory_[other] < reserved_memory_[t]) return false;
  // The value of N1Failures that a target has now goes when the mover arrives; a new one may come.
  if (n1_failures_[other] < n1_failures_[t]) return false;
  const double most = as_primary ? largest_used_memory_ + reserved_memory_[other]
                                 : std::max(largest_secondary_memory_, reserved_memory_[other]);
  const bool fails_as_often =
      free_memory_[other] > most ||
      (free_memory_[other] >= free_memory_[t] && count_with_one_more_[other] <= count_with_one_more_[t] &&
       free_memory_[other] - reserved_memory_[other] >= free_memory_[t] - reserved_memory_[t]);
  if (!fails_as_often) return false;
  const double most_for_all = as_primary ? largest_memory_ : largest_secondary_memory_;
  if (memory_is_promised_ && free_for_all_[other] <= most_for_all && free_for_all_[other] < free_for_all_[t]) {
    return false;
  }
  const auto class_of = [this](Position row) { return locations_.class_of(targets_[static_cast<std::size_t>(row)]); };
  return locations_.empty() || class_of(other) == class_of(t);
}

void MoveBounds::note_exception(std::size_t mover, MoveKind kind, Position target) {
  std::vector<std::size_t>& movers = exceptions_[number(kind)][targets_[static_cast<std::size_t>(target)].position()];
  if (movers.size() <= kMostExceptions) movers.push_back(mover);
}

bool MoveBounds::may_stand_in(NodeIndex substitute, std::size_t mover, MoveKind kind) const {
  const Instance& instance = cluster_.instance(movers_[mover]);
  const std::vector<std::size_t>& exceptions = exceptions_[number(kind)][substitute.position()];
  if (instance.primary == substitute || instance.secondary == substitute ||
      std::find(exceptions.begin(), exceptions.end(), mover) != exceptions.end()) {
    return false;
  }
  const MoveRole role = reserving_role(kind);
  const NodeIndex node = role == MoveRole::OldPrimary ? instance.primary : instance.secondary;
  if (node.is_none()) return true;
  const bool is_host = facts(kind).primary == MoveRole::Target;
  return (is_host ? cluster_.node(node).peers.memory_for(substitute)
                  : cluster_.node(substitute).peers.memory_for(node)) == 0;
}

std::optional<MoveBounds::Substitutes> MoveBounds::substitutes_of(NodeIndex target, MoveKind kind,
                                                                  std::span<const NodeIndex> changed) const {
  if (!have_substitutes_ || !left_out_.empty()) return std::nullopt;
  if (kind != MoveKind::FailoverToAny && !total_outweighs_deviation()) return std::nullopt;
  const bool as_primary = facts(kind).primary == MoveRole::Target;
  const auto& exceptions = exceptions_[number(kind)];
  Substitutes found;
  std::size_t count = 0;
  for (std::size_t t = 0; t < targets_.size() && count < found.targets.size(); ++t) {
    if (is_substitute(index(t), index(row_of(target)), as_primary) &&
        exceptions[targets_[t].position()].size() <= kMostExceptions &&
        std::find(changed.begin(), changed.end(), targets_[t]) == changed.end()) {
      found.targets[count++] = targets_[t];
    }
  }
  if (count < found.targets.size()) return std::nullopt;

  std::vector<std::size_t>& others = found.others;
  const auto add = [&](std::size_t mover) {
    const auto stands_in = [&](NodeIndex substitute) { return may_stand_in(substitute, mover, kind); };
    if (mover != kNoRow && std::none_of(found.targets.begin(), found.targets.end(), stands_in)) others.push_back(mover);
  };
  const auto add_all = [&](const std::vector<InstanceIndex>& instances) {
    for (InstanceIndex i : instances) add(mover_of_[i.position()]);
  };
  for (NodeIndex substitute : found.targets) {
    add_all(cluster_.node(substitute).primaries);
    add_all(cluster_.node(substitute).secondaries);
    for (std::size_t mover : exceptions[substitute.position()]) add(mover);
  }
  const auto reserving = [&](NodeIndex substitute) {
    std::vector<NodeIndex> nodes;
    if (as_primary) {
      for (const auto& [node, memory] : reserving_[substitute.position()]) nodes.push_back(node);
    } else {
      for (const auto& entry : cluster_.node(substitute).peers.entries()) nodes.push_back(entry.primary);
    }
    return nodes;
  };
  const std::vector<NodeIndex> reserving_second = reserving(found.targets[1]);
  for (NodeIndex node : reserving(found.targets[0])) {
    if (std::find(reserving_second.begin(), reserving_second.end(), node) == reserving_second.end()) continue;
    const Node& n = cluster_.node(node);
    add_all(reserving_role(kind) == MoveRole::OldPrimary ? n.primaries : n.secondaries);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return found;
}

}  // namespace htools
