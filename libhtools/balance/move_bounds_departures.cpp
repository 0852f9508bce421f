#include <algorithm>
#include <cmath>

#include "balance/move_bounds.h"
#include "balance/move_bounds_detail.h"
#include "cluster/bookkeeping.h"
#include "metric/lanes.h"
#include "metric/node_values.h"
#include "rules/move_application.h"

namespace htools {

using namespace detail;

void MoveBounds::describe_mover(std::size_t mover) {
  const Instance& instance = cluster_.instance(movers_[mover]);
  const Position m = index(mover);
  for (Position k = 0; k < reserved_; ++k) {
    const ContributionModel& model = *columns_[static_cast<std::size_t>(k)].model;
    primary_amount_(m, k) = model.as_primary(instance);
    secondary_amount_(m, k) = model.as_secondary(instance);
  }
  spindle_amount_[m] = spindle_amount(instance);
  memory_[m] = static_cast<double>(instance.facts->memory);
  used_memory_[m] = static_cast<double>(instance.facts->used_memory());
  secondary_memory_[m] = static_cast<double>(instance.facts->secondary_memory());
  primary_amount_single_.row(m) = primary_amount_.row(m).head(reserved_).cast<float>();
  secondary_amount_single_.row(m) = secondary_amount_.row(m).head(reserved_).cast<float>();
  spindle_amount_single_[m] = static_cast<float>(spindle_amount_[m]);
  for (Position k = 0; k < reserved_; ++k) {
    const double factor = std::max(std::abs(lowest_factor_[k]), std::abs(highest_factor_[k]));
    const double spindle_factor = std::max(std::abs(lowest_spindle_factor_[k]), std::abs(highest_spindle_factor_[k]));
    const double arrival = std::max(std::abs(primary_amount_(m, k)), std::abs(secondary_amount_(m, k))) * factor +
                           std::abs(spindle_amount_[m]) * spindle_factor;
    arrival_(m, k) = static_cast<float>(arrival * kRaised);
  }
  arrival_(m, reserved_) = static_cast<float>(secondary_memory_[m] * highest_factor_[reserved_] * kRaised);
}

void MoveBounds::describe_departures(std::size_t mover) {
  for (Departures& d : departures_) d.sums[index(mover)] = kInfinity;
  const InstanceIndex i = movers_[mover];
  const Instance& instance = cluster_.instance(i);
  describe_place(mover);
  if (!is_candidate(cluster_, instance, rules_)) return;
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);

  const Node& primary = cluster_.node(instance.primary);
  const MoveTrials trials(cluster_, i, rules_.force);
  const auto enter_refusal = [&](MoveKind kind) {
    departures_[number(kind)].refusal[index(mover)] = trials.rules_of_target(kind).force ? 0.0 : kRefused;
  };
  const NodeBooks& left = trials.primary_left();
  NodeEffect leaving = effect_on(instance.primary, left);
  double location = 0.0;  // the change of LocationScore on the primary, which counts only if it is online
  if (!locations_.empty() && !primary.offline) {
    const auto score = instance.location_score + locations_.misses(i, locations_.class_of(instance.primary));
    location = -weight(Component::LocationScore) * static_cast<double>(score);
  }
  leaving.sums += location;
  if (!instance.facts->has_secondary()) {
    if (kinds.per_target.empty()) return;
    depart(mover, MoveKind::FailoverToAny, leaving);
    enter_refusal(MoveKind::FailoverToAny);
    return;
  }
  const Node& secondary = cluster_.node(instance.secondary);
  const NodeBooks& secondary_left = trials.secondary_left();
  const NodeEffect secondary_leaving = effect_on(instance.secondary, secondary_left);
  // Moves that are refused whatever the target is have no departure. (On a cluster of 4,000 nodes, where many
  // secondaries lack virtual cpus, the search takes 0.8 of the time for it.)
  const bool can_fail_over = kinds.failover && trials.can_fail_over();
  NodeEffect promoted;
  if (can_fail_over) {
    promoted = effect_on(instance.secondary, trials.secondary_promoted());
    NodeEffect demoted = effect_on(instance.primary, books_with_secondary(primary, left, instance, instance.secondary));
    demoted.sums += location;
    depart(mover, MoveKind::Failover, demoted, promoted);
  }
  for (MoveKind kind : kinds.per_target) {
    if (!can_fail_over && (kind == MoveKind::ReplacePrimary || kind == MoveKind::FailoverAndReplace)) continue;
    if (kind == MoveKind::ReplaceSecondary) {
      // The instance leaves the primary and comes back (move_application.h), which only updates the N+1 flag.
      NodeBooks same = primary.books;
      same.n1_failed = primary.unallocated_memory() <= same.reserved_memory;
      NodeEffect staying = effect_on(instance.primary, same);
      staying.sums += location;
      depart(mover, kind, staying, secondary_leaving);
    } else if (kind == MoveKind::ReplaceAndFailover) {
      NodeEffect demoted =
          effect_on(instance.primary, books_with_secondary(primary, left, instance, NodeIndex::none()));
      demoted.sums += location;
      depart(mover, kind, demoted, secondary_leaving);
      host(mover, kind, instance.primary, left);
    } else if (kind == MoveKind::ReplacePrimary) {
      const NodeBooks again = books_with_secondary(secondary, secondary_left, instance, NodeIndex::none());
      depart(mover, kind, leaving, effect_on(instance.secondary, again));
      host(mover, kind, instance.secondary, secondary_left);
    } else {
      depart(mover, kind, leaving, promoted);
    }
    enter_refusal(kind);
  }
}

void MoveBounds::describe_place(std::size_t mover) {
  if (locations_.empty()) return;
  const Instance& instance = cluster_.instance(movers_[mover]);
  MoverPlace& place = places_[mover];
  place.primary = locations_.class_of(instance.primary);
  place.primary_online = !cluster_.node(instance.primary).offline;
  place.has_tags = locations_.has_tags(movers_[mover]);
  place.shared = instance.location_score;
  if (instance.secondary.is_none()) return;
  place.secondary = locations_.class_of(instance.secondary);
  place.secondary_online = !cluster_.node(instance.secondary).offline;
}

MoveBounds::NodeEffect MoveBounds::effect_on(NodeIndex n, const NodeBooks& after) const {
  const Node& node = cluster_.node(n);
  const ComponentValues values = node_values(node, after);
  NodeEffect effect{weighted_sums(node, values) - sums_[n.position()], Row::Zero(reserved_ + 1),
                    Row::Zero(reserved_ + 1)};
  if (node.offline) return effect;
  const Position row = index(row_of(n));
  for (Position k = 0; k <= reserved_; ++k) {
    const double before = values_(row, k), moved = values[components_[static_cast<std::size_t>(k)]] * scale_[k];
    effect.squares[k] = (moved - before) * ((moved - reference_mean_[k]) + (before - reference_mean_[k]));
    effect.shift[k] = moved - before;
  }
  return effect;
}

void MoveBounds::depart(std::size_t mover, MoveKind kind, const NodeEffect& one, const NodeEffect& other) {
  Departures& d = departures_[number(kind)];
  if (!has_kind_[number(kind)]) {
    has_kind_[number(kind)] = true;
    for (Eigen::ArrayXXd* a : {&d.squares, &d.shift}) a->setZero(primary_amount_.rows(), reserved_ + 1);
    for (Singles* a : {&d.shift_single, &d.settled_single}) a->setZero(primary_amount_.rows(), reserved_);
    for (Singles* a : {&d.lowering, &d.raising, &d.sway}) a->setZero(primary_amount_.rows(), reserved_ + 1);
    for (Array* a : {&d.refusal, &d.host_reserved, &d.host_before, &d.host_most, &d.host_free, &d.host_count,
                     &d.host_factor, &d.host_distance}) {
      a->setZero(primary_amount_.rows());
    }
  }
  const Position m = index(mover);
  d.sums[m] = one.sums + other.sums;
  for (Position k = 0; k <= reserved_; ++k) {
    const double squares = one.squares[k] + other.squares[k], shift = one.shift[k] + other.shift[k];
    d.squares(m, k) = squares;
    d.shift(m, k) = shift;
    if (k == reserved_) break;
    // Changing values by a total of `shift` also moves the mean. With n nodes, this lowers the sum of squares by shift
    // * shift / n, and by twice the product of `shift` and mean_shift_, which turns distances from the reference mean
    // into distances from the present mean.
    const double arrival = arrival_(m, k), turn = inverse_count_ * shift * shift;
    const double terms = std::abs(squares) + turn + arrival * (arrival + 2 * inverse_count_ * std::abs(shift));
    d.settled_single(m, k) = static_cast<float>(squares - turn - kSingleError * terms);
    d.shift_single(m, k) = static_cast<float>(shift);
  }
}

// The reserved memory of the host after the move depends on the target. So the effect on it that depart() has entered,
// for a target that the host reserves nothing for yet, is taken out again.
void MoveBounds::host(std::size_t mover, MoveKind kind, NodeIndex n, const NodeBooks& without) {
  const Node& node = cluster_.node(n);
  Departures& d = departures_[number(kind)];
  const Position m = index(mover);
  const double count = static_cast<double>(node.books.primary_count + node.books.secondary_count);
  if (node.offline) {
    d.host_count[m] = d.host_factor[m] = d.host_distance[m] = 0.0;
    return;
  }
  const double factor = scale_[reserved_] / node.facts->total_memory;
  const double before = static_cast<double>(node.books.reserved_memory);
  const double after = static_cast<double>(
      std::max(without.reserved_memory, cluster_.instance(movers_[mover]).facts->secondary_memory()));
  const double distance = before * factor - reference_mean_[reserved_];
  const double change = (after - before) * factor;
  const double free = static_cast<double>(node.unallocated_memory(without));
  d.squares(m, reserved_) -= change * (2 * distance + change);
  d.shift(m, reserved_) -= change;
  d.sums[m] -= total_ratio_ * change + (free <= after ? weight(Component::N1Failures) * count : 0.0);
  d.host_reserved[m] = static_cast<double>(without.reserved_memory);
  d.host_before[m] = before;
  d.host_most[m] = std::max(static_cast<double>(node.peers.max()) + secondary_memory_[m], d.host_reserved[m]);
  d.host_free[m] = free;
  d.host_count[m] = weight(Component::N1Failures) * count;
  d.host_factor[m] = factor;
  d.host_distance[m] = distance;
}

void MoveBounds::prepare_lefts() {
  constexpr double kSmallest = 1e-30;
  const Array farthest = highest_distance_.max(-lowest_distance_).head(reserved_);
  const Array turn = 2 * mean_shift_.head(reserved_);
  const Array terms = squares_.head(reserved_) + turn.abs() * largest_shift_.head(reserved_) +
                      2 * farthest * largest_arrival_.head(reserved_);
  turn_ = turn.cast<float>();
  lowered_squares_ =
      (squares_.head(reserved_) - slack_.head(reserved_) - kSingleError * terms - kSmallest).cast<float>();
}

double MoveBounds::start(std::size_t kind, Position m) const {
  const Departures& d = departures_[kind];
  double sum = d.sums[m] - unchanged_;
  for (Position k = 0; k < reserved_; ++k) {
    if (!changes_target(kind, k)) sum += root(left(d, m, k));
  }
  return sum;
}

void MoveBounds::start_all(std::size_t kind) {
  const Departures& d = departures_[kind];
  float* const roots = roots_.data();
  roots_.setZero();
  for (Position k = 0; k < reserved_; ++k) {
    if (changes_target(kind, k)) continue;
    for_lanes(width_, start_.size(), [roots, left = left_of_each(d, k)](Position m) {
      const float square = left[m];
      roots[m] += std::sqrt(square > 0.0F ? square : 0.0F);
    });
  }
  for_lanes(width_, start_.size(),
            [start = start_.data(), roots, sums = d.sums.data(), unchanged = unchanged_](Position m) {
              start[m] = sums[m] - unchanged + kLowered * static_cast<double>(roots[m]);
            });
}

}  // namespace htools
