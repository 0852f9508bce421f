#include "balance/move_bounds.h"
#include "balance/move_bounds_detail.h"

namespace htools {

using namespace detail;
using Array = MoveBounds::Array;

namespace {

// Returns 1 in each lane where `amount` is not above `limit`, else 0. Both must be whole numbers.
MoveBounds::Lanes not_above(const MoveBounds::Lanes& amount, const MoveBounds::Lanes& limit) {
  return (limit - amount + 1.0).max(0.0).min(1.0);
}

}  // namespace

// The two sides of an evaluation are one mover and all targets, or all movers and one target. These structs give both
// cases the same interface: for the single mover or target, the functions return a number; for many, a block of lanes
// that starts at position `at`.
struct MoveBounds::OneMover {
  const MoveBounds& b;
  Position m;
  bool has(std::size_t kind) const { return b.departures_[kind].start[m] != kInfinity; }
  double amount(bool primary, Position c, Position) const {
    return (primary ? b.primary_amount_ : b.secondary_amount_)(m, c);
  }
  double spindles(Position) const { return b.spindle_amount_[m]; }
  double used_memory(Position) const { return b.used_memory_[m]; }
  double secondary_memory(Position) const { return b.secondary_memory_[m]; }
  double of(const Array& a, Position) const { return a[m]; }
  double of(const Eigen::ArrayXXd& a, Position c, Position) const { return a(m, c); }
};

struct MoveBounds::AllMovers {
  const MoveBounds& b;
  bool has(std::size_t kind) const { return b.has_kind_[kind]; }
  auto amount(bool primary, Position c, Position at) const {
    return (primary ? b.primary_amount_ : b.secondary_amount_).col(c).segment<kLanes>(at);
  }
  auto spindles(Position at) const { return b.spindle_amount_.segment<kLanes>(at); }
  auto used_memory(Position at) const { return b.used_memory_.segment<kLanes>(at); }
  auto secondary_memory(Position at) const { return b.secondary_memory_.segment<kLanes>(at); }
  auto of(const Array& a, Position at) const { return a.segment<kLanes>(at); }
  auto of(const Eigen::ArrayXXd& a, Position c, Position at) const { return a.col(c).segment<kLanes>(at); }
};

struct MoveBounds::OneTarget {
  const MoveBounds& b;
  Position t;
  double factor(Position c, Position) const { return b.factor_(t, c); }
  double spindle_factor(Position c, Position) const { return b.spindle_factor_(t, c); }
  double distance(Position c, Position) const { return b.distance_(t, c); }
  double free_memory(Position) const { return b.free_memory_[t]; }
  double reserved_memory(Position) const { return b.reserved_memory_[t]; }
  double count_with_one_more(Position) const { return b.count_with_one_more_[t]; }
  double n1_failures(Position) const { return b.n1_failures_[t]; }
};

struct MoveBounds::AllTargets {
  const MoveBounds& b;
  auto factor(Position c, Position at) const { return b.factor_.col(c).segment<kLanes>(at); }
  auto spindle_factor(Position c, Position at) const { return b.spindle_factor_.col(c).segment<kLanes>(at); }
  auto distance(Position c, Position at) const { return b.distance_.col(c).segment<kLanes>(at); }
  auto free_memory(Position at) const { return b.free_memory_.segment<kLanes>(at); }
  auto reserved_memory(Position at) const { return b.reserved_memory_.segment<kLanes>(at); }
  auto count_with_one_more(Position at) const { return b.count_with_one_more_.segment<kLanes>(at); }
  auto n1_failures(Position at) const { return b.n1_failures_.segment<kLanes>(at); }
};

void MoveBounds::Reservations::reset(Position lanes) {
  for (Array* a : {&target_for_primary, &target_for_secondary, &primary_for_target, &secondary_for_target}) {
    // A new array is assigned because resize() is not safe if memory runs out: Eigen frees the old memory first, and
    // the destructor would free it again.
    if (a->size() != lanes) *a = Array(lanes);
    a->setZero();
  }
}

double MoveBounds::location_term(InstanceIndex i, MoveKind kind, NodeIndex target) const {
  const Instance& instance = cluster_.instance(i);
  const Placement after = placement_after({instance.primary, instance.secondary}, {kind, target});
  if (cluster_.node(after.primary).offline) return 0.0;
  const std::size_t home = locations_.class_of(after.primary);
  const std::size_t left =
      cluster_.node(instance.primary).offline ? LocationTerms::kNoClass : locations_.class_of(instance.primary);
  const std::int64_t shared = kind == MoveKind::FailoverToAny
                                  ? instance.location_score
                                  : locations_.shared(home, locations_.class_of(after.secondary));
  return weight(Component::LocationScore) * static_cast<double>(shared + locations_.misses(i, home)) +
         weight(Component::LocationExclusion) * static_cast<double>(locations_.collision_change(i, left, home));
}

// Computes the bounds of one block of lanes, for each kind of move that the mover has; the terms of location tags must
// be added. If an arrival changes a value at `distance` from the mean by `delta`, the sum of squares changes by delta *
// (2 * distance + delta). The change of the mean subtracts delta * delta / n and, with a departure that shifts the sum
// of values, 2 * delta * shift / n, where n is the number of online nodes.
template <class Movers, class Targets>
void MoveBounds::evaluate(const Movers& mover, const Targets& target, Position at,
                          std::array<Lanes, kKindCount>& low) const {
  const double most = 1.0 - inverse_count_;
  for (std::size_t kind : kTargetKinds) {
    if (mover.has(kind)) low[kind] = Lanes::Zero() + mover.of(departures_[kind].start, at);
  }
  for (bool as_primary : {true, false}) {
    const auto kinds = as_primary ? std::span<const std::size_t>(kPrimaryKinds) : kSecondaryKinds;
    if (std::none_of(kinds.begin(), kinds.end(), [&](std::size_t kind) { return mover.has(kind); })) continue;
    for (Position k = 0; k < reserved_; ++k) {
      if (!changes_target(kinds.front(), k)) continue;
      Lanes delta = mover.amount(as_primary, k, at) * target.factor(k, at);
      if (exclusive_storage_ && columns_[static_cast<std::size_t>(k)].model->spindle_factor != nullptr) {
        delta += mover.spindles(at) * target.spindle_factor(k, at);
      }
      const Lanes arrived = delta * (2 * target.distance(k, at) + most * delta);
      for (std::size_t kind : kinds) {
        if (!mover.has(kind)) continue;
        const Departures& d = departures_[kind];
        const Lanes square =
            mover.of(d.left, k, at) + arrived - delta * (2 * inverse_count_ * mover.of(d.shift, k, at));
        low[kind] += square.max(0.0).sqrt();
      }
    }
    for (std::size_t kind : kinds) {
      if (mover.has(kind)) reserve(kind, mover, target, at, low[kind]);
    }
  }
}

// Adds the parts of the score that depend on reserved memory: its deviation, its total, and the N+1 failures.
template <class Movers, class Targets>
void MoveBounds::reserve(std::size_t kind, const Movers& mover, const Targets& target, Position at, Lanes& low) const {
  const MoveKindFacts& roles = facts(kind_at(kind));
  const Departures& d = departures_[kind];
  // They describe the node that is secondary after the move: MiB reserved then, the scaled change of its value, and the
  // distance of the scaled value from the mean before the move.
  Lanes after, delta, distance;
  if (roles.primary == MoveRole::Target) {
    const Lanes left = Lanes::Zero() + target.free_memory(at) - mover.used_memory(at);
    low += not_above(left, Lanes::Zero() + target.reserved_memory(at)) * target.count_with_one_more(at) -
           target.n1_failures(at);
    if (kind_at(kind) == MoveKind::FailoverToAny) {
      low += (Lanes::Zero() + mover.of(d.left, reserved_, at)).max(0.0).sqrt();
      return;
    }
    const Array& already =
        roles.secondary == MoveRole::OldPrimary ? reservations_.primary_for_target : reservations_.secondary_for_target;
    after = (already.segment<kLanes>(at) + mover.secondary_memory(at)).max(mover.of(d.host_reserved, at));
    delta = (after - mover.of(d.host_before, at)) * mover.of(d.host_factor, at);
    distance = Lanes::Zero() + mover.of(d.host_distance, at) - mean_shift_[reserved_];
    low += not_above(Lanes::Zero() + mover.of(d.host_free, at), after) * mover.of(d.host_count, at);
  } else {
    const Array& already =
        roles.primary == MoveRole::OldPrimary ? reservations_.target_for_primary : reservations_.target_for_secondary;
    after = (already.segment<kLanes>(at) + mover.secondary_memory(at)).max(target.reserved_memory(at));
    delta = (after - target.reserved_memory(at)) * target.factor(reserved_, at);
    distance = Lanes::Zero() + target.distance(reserved_, at);
    low += not_above(Lanes::Zero() + target.free_memory(at), after) * target.count_with_one_more(at) -
           target.n1_failures(at);
  }
  const Lanes square =
      mover.of(d.left, reserved_, at) +
      delta * (2 * distance + (1.0 - inverse_count_) * delta - 2 * inverse_count_ * mover.of(d.shift, reserved_, at));
  low += square.max(0.0).sqrt() + total_ratio_ * delta;
}

double MoveBounds::failover(std::size_t mover) const {
  double low = departures_[number(MoveKind::Failover)].start[index(mover)];
  if (low == kInfinity) return low;
  if (!locations_.empty()) low += location_term(movers_[mover], MoveKind::Failover, NodeIndex::none());
  return low;
}

double MoveBounds::best_case(std::size_t mover) const {
  double low = failover(mover);
  for (std::size_t kind : kTargetKinds) low = std::min(low, best_case(mover, kind));
  return low;
}

// Computes what evaluate() and reserve() would for an imaginary target that is the best one in each component.
double MoveBounds::best_case(std::size_t mover, std::size_t kind) const {
  const Departures& d = departures_[kind];
  const Position m = index(mover);
  if (d.start[m] == kInfinity) return kInfinity;
  const double most = 1.0 - inverse_count_;
  // Returns the lowest sum of squares if a value at this distance from the mean changes by an amount between `least`
  // and `largest`. The sum is a quadratic function of the change.
  const auto least_square = [&](Position k, double least, double largest, double distance) {
    if (most == 0) return 0.0;  // with a single node there are no targets anyway
    const double slope = 2 * (distance - inverse_count_ * d.shift(m, k));
    const double change = std::clamp(-slope / (2 * most), least, largest);
    return d.left(m, k) + change * (slope + most * change);
  };
  const bool as_primary = facts(kind_at(kind)).primary == MoveRole::Target;
  double low = d.start[m] - most_relief_;
  for (Position k = 0; k < reserved_; ++k) {
    if (!changes_target(kind, k)) continue;
    const double amount = (as_primary ? primary_amount_ : secondary_amount_)(m, k);
    const double ends[] = {amount * lowest_factor_[k], amount * highest_factor_[k],
                           spindle_amount_[m] * lowest_spindle_factor_[k],
                           spindle_amount_[m] * highest_spindle_factor_[k]};
    const double least = std::min(ends[0], ends[1]) + std::min(ends[2], ends[3]);
    const double largest = std::max(ends[0], ends[1]) + std::max(ends[2], ends[3]);
    low += root(least < 0 && largest > 0
                    ? std::min(least_square(k, 0.0, largest, lowest_distance_[k]),
                               least_square(k, least, 0.0, highest_distance_[k]))
                    : least_square(k, least, largest, largest > 0 ? lowest_distance_[k] : highest_distance_[k]));
  }
  if (kind_at(kind) == MoveKind::FailoverToAny) {
    low += root(d.left(m, reserved_));
  } else if (as_primary) {
    const double after = std::max(secondary_memory_[m], d.host_reserved[m]);
    const double least = (after - d.host_before[m]) * d.host_factor[m];
    const double distance = d.host_distance[m] - mean_shift_[reserved_];
    low += root(least_square(reserved_, least, d.host_factor[m] > 0 ? kInfinity : least, distance));
    low += total_ratio_ * least + (d.host_free[m] <= after ? d.host_count[m] : 0.0);
  } else {
    low += root(least_square(reserved_, 0.0, kInfinity, lowest_distance_[reserved_]));
  }
  if (!locations_.empty()) low += least_location_term(movers_[mover]);
  return low;
}

// The score of the location tags on the new primary and the collisions there are at least 0. So the collisions that end
// when the instance leaves its primary are the most that can be gained.
double MoveBounds::least_location_term(InstanceIndex i) const {
  const Node& primary = cluster_.node(cluster_.instance(i).primary);
  if (primary.offline) return 0.0;
  const std::size_t left = locations_.class_of(cluster_.instance(i).primary);
  return weight(Component::LocationExclusion) *
         static_cast<double>(locations_.collision_change(i, left, LocationTerms::kNoClass));
}

const std::array<Array, MoveBounds::kKindCount>& MoveBounds::to_all_targets(std::size_t mover) {
  const InstanceIndex i = movers_[mover];
  const Instance& instance = cluster_.instance(i);
  reservations_.reset(free_memory_.size());
  const auto note = [&](Array& by_target, NodeIndex node, std::int64_t memory) {
    if (row_of(node) != kNoRow) by_target[index(row_of(node))] = static_cast<double>(memory);
  };
  if (instance.facts->has_secondary()) {
    for (const auto& [node, memory] : reserving_[instance.primary.position()]) {
      note(reservations_.target_for_primary, node, memory);
    }
    for (const auto& [node, memory] : reserving_[instance.secondary.position()]) {
      note(reservations_.target_for_secondary, node, memory);
    }
    for (const auto& entry : cluster_.node(instance.primary).peers.entries()) {
      note(reservations_.primary_for_target, entry.primary, entry.memory);
    }
    for (const auto& entry : cluster_.node(instance.secondary).peers.entries()) {
      note(reservations_.secondary_for_target, entry.primary, entry.memory);
    }
  }
  const OneMover one{*this, index(mover)};
  std::array<Lanes, kKindCount> low;
  for (Position at = 0; at < free_memory_.size(); at += kLanes) {
    evaluate(one, AllTargets{*this}, at, low);
    for (std::size_t kind : kTargetKinds) {
      if (one.has(kind)) by_target_[kind].segment<kLanes>(at) = low[kind];
    }
  }
  for (std::size_t kind : kTargetKinds) {
    Array& bounds = by_target_[kind];
    if (!one.has(kind)) {
      bounds.setConstant(kInfinity);
      continue;
    }
    for (std::size_t t = 0; !locations_.empty() && t < targets_.size(); ++t) {
      bounds[index(t)] += location_term(i, kind_at(kind), targets_[t]);
    }
    for (NodeIndex own : {instance.primary, instance.secondary}) {
      if (!own.is_none() && row_of(own) != kNoRow) bounds[index(row_of(own))] = kInfinity;
    }
    bounds.tail(bounds.size() - index(targets_.size())).setConstant(kInfinity);
  }
  return by_target_;
}

const Array& MoveBounds::from_all_movers(NodeIndex t) {
  const Node& node = cluster_.node(t);
  reservations_.reset(used_memory_.size());
  const auto note = [&](Array& by_mover, const std::vector<InstanceIndex>& instances, std::int64_t memory) {
    for (InstanceIndex i : instances) {
      const std::size_t mover = mover_of_[i.position()];
      if (mover != kNoRow) by_mover[index(mover)] = static_cast<double>(memory);
    }
  };
  for (const auto& entry : node.peers.entries()) {
    const Node& peer = cluster_.node(entry.primary);
    note(reservations_.target_for_primary, peer.primaries, entry.memory);
    note(reservations_.target_for_secondary, peer.secondaries, entry.memory);
  }
  for (const auto& [n, memory] : reserving_[t.position()]) {
    const Node& peer = cluster_.node(n);
    note(reservations_.primary_for_target, peer.primaries, memory);
    note(reservations_.secondary_for_target, peer.secondaries, memory);
  }
  const AllMovers all{*this};
  std::array<Lanes, kKindCount> low;
  for (Position at = 0; at < used_memory_.size(); at += kLanes) {
    evaluate(all, OneTarget{*this, index(row_of(t))}, at, low);
    Lanes lowest = Lanes::Constant(kInfinity);
    for (std::size_t kind : kTargetKinds) {
      if (!all.has(kind)) continue;
      for (Position m = at; !locations_.empty() && m < std::min(at + kLanes, index(movers_.size())); ++m) {
        if (departures_[kind].start[m] == kInfinity) continue;
        low[kind][m - at] += location_term(movers_[static_cast<std::size_t>(m)], kind_at(kind), t);
      }
      lowest = lowest.min(low[kind]);
    }
    by_mover_.segment<kLanes>(at) = lowest;
  }
  for (const auto* list : {&node.primaries, &node.secondaries}) {
    for (InstanceIndex i : *list) {
      if (mover_of_[i.position()] != kNoRow) by_mover_[index(mover_of_[i.position()])] = kInfinity;
    }
  }
  return by_mover_;
}

}  // namespace htools
