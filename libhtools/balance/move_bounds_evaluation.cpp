#include <algorithm>
#include <cmath>

#include "balance/move_bounds.h"
#include "balance/move_bounds_detail.h"
#include "metric/lanes.h"

namespace htools {

using namespace detail;
using Array = MoveBounds::Array;

namespace {

// Returns 1 if `amount` is not above `limit`, else 0. Both must be whole numbers.
double not_above(double amount, double limit) { return std::min(std::max(limit - amount + 1.0, 0.0), 1.0); }

// Returns column `k` as lanes.
template <class Scalar>
EachLane<Scalar> column(const Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic>& values, Position k) {
  return {values.col(k).data()};
}

// A lane for each mover: MoveBounds::left() of reserved memory.
struct LeftReserved {
  const double *squares, *shift;
  double lowered, turn, inverse;
  double operator[](Position m) const { return lowered + squares[m] - shift[m] * (turn + inverse * shift[m]); }
};

}  // namespace

// The two sides of an evaluation are one mover and all targets, or all movers and one target. These structs give both
// cases the same interface: the functions return the values by lane.
struct MoveBounds::OneMover {
  const MoveBounds& b;
  Position m;
  double start_value;
  auto amount(bool primary, Position k) const {
    return SameLane<float>{(primary ? b.primary_amount_single_ : b.secondary_amount_single_)(m, k)};
  }
  auto spindles() const { return SameLane<float>{b.spindle_amount_single_[m]}; }
  auto left(const Departures& d, Position k) const { return SameLane<float>{b.left_of_each(d, k)[m]}; }
  auto shift(const Departures& d, Position k) const { return SameLane<float>{d.shift_single(m, k)}; }
  auto start() const { return SameLane<double>{start_value}; }
  auto left_reserved(const Departures& d) const { return SameLane<double>{b.left(d, m, b.reserved_)}; }
  auto shift_reserved(const Departures& d) const { return SameLane<double>{d.shift(m, b.reserved_)}; }
  auto of(const Array& a) const { return SameLane<double>{a[m]}; }
};

struct MoveBounds::AllMovers {
  const MoveBounds& b;
  auto amount(bool primary, Position k) const {
    return column(primary ? b.primary_amount_single_ : b.secondary_amount_single_, k);
  }
  auto spindles() const { return EachLane<float>{b.spindle_amount_single_.data()}; }
  auto left(const Departures& d, Position k) const { return b.left_of_each(d, k); }
  auto shift(const Departures& d, Position k) const { return column(d.shift_single, k); }
  auto start() const { return EachLane<double>{b.start_.data()}; }
  auto left_reserved(const Departures& d) const {
    const Position k = b.reserved_;
    return LeftReserved{d.squares.col(k).data(), d.shift.col(k).data(), b.squares_[k] - b.slack_[k],
                        2 * b.mean_shift_[k], b.inverse_count_};
  }
  auto shift_reserved(const Departures& d) const { return column(d.shift, b.reserved_); }
  auto of(const Array& a) const { return EachLane<double>{a.data()}; }
};

struct MoveBounds::SomeMovers {
  const MoveBounds& b;
  const std::vector<std::size_t>& movers;
  const double* starts;
  // The values of lane i are those of mover movers[i].
  template <class Values>
  struct Chosen {
    Values values;
    const std::size_t* movers;
    auto operator[](Position i) const { return values[index(movers[i])]; }
  };
  template <class Values>
  Chosen<Values> chosen(const Values& values) const {
    return {values, movers.data()};
  }
  auto amount(bool primary, Position k) const { return chosen(AllMovers{b}.amount(primary, k)); }
  auto spindles() const { return chosen(AllMovers{b}.spindles()); }
  auto left(const Departures& d, Position k) const { return chosen(AllMovers{b}.left(d, k)); }
  auto shift(const Departures& d, Position k) const { return chosen(AllMovers{b}.shift(d, k)); }
  auto start() const { return EachLane<double>{starts}; }
  auto left_reserved(const Departures& d) const { return chosen(AllMovers{b}.left_reserved(d)); }
  auto shift_reserved(const Departures& d) const { return chosen(AllMovers{b}.shift_reserved(d)); }
  auto of(const Array& a) const { return chosen(AllMovers{b}.of(a)); }
};

struct MoveBounds::OneTarget {
  const MoveBounds& b;
  Position t;
  auto factor(Position k) const { return SameLane<float>{b.factor_single_(t, k)}; }
  auto spindle_factor(Position k) const { return SameLane<float>{b.spindle_factor_single_(t, k)}; }
  auto distance_twice(Position k) const { return SameLane<float>{b.distance_twice_(t, k)}; }
  auto reserved_factor() const { return SameLane<double>{b.factor_(t, b.reserved_)}; }
  auto reserved_distance() const { return SameLane<double>{b.distance_(t, b.reserved_)}; }
  auto of(const Array& a) const { return SameLane<double>{a[t]}; }
};

struct MoveBounds::TargetsFrom {
  const MoveBounds& b;
  Position first;
  template <class Scalar>
  EachLane<Scalar> rows(const Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic>& values, Position k) const {
    return {values.col(k).data() + first};
  }
  auto factor(Position k) const { return rows(b.factor_single_, k); }
  auto spindle_factor(Position k) const { return rows(b.spindle_factor_single_, k); }
  auto distance_twice(Position k) const { return rows(b.distance_twice_, k); }
  auto reserved_factor() const { return rows(b.factor_, b.reserved_); }
  auto reserved_distance() const { return rows(b.distance_, b.reserved_); }
  auto of(const Array& a) const { return EachLane<double>{a.data() + first}; }
};

inline double MoveBounds::location_term(std::size_t mover, MoveKind kind, std::size_t target_class) const {
  const MoverPlace& place = places_[mover];
  const MoveKindFacts& roles = facts(kind);
  const auto class_of = [&](MoveRole role) {
    return role == MoveRole::Target ? target_class : role == MoveRole::OldPrimary ? place.primary : place.secondary;
  };
  if (roles.primary == MoveRole::OldPrimary && !place.primary_online) return 0.0;
  if (roles.primary == MoveRole::OldSecondary && !place.secondary_online) return 0.0;
  const std::size_t home = class_of(roles.primary);
  const std::int64_t shared =
      kind == MoveKind::FailoverToAny ? place.shared : locations_.shared(home, class_of(roles.secondary));
  if (!place.has_tags) return weight(Component::LocationScore) * static_cast<double>(shared);
  const std::size_t left = place.primary_online ? place.primary : LocationTerms::kNoClass;
  const InstanceIndex i = movers_[mover];
  return weight(Component::LocationScore) * static_cast<double>(shared + locations_.misses(i, home)) +
         weight(Component::LocationExclusion) * static_cast<double>(locations_.collision_change(i, left, home));
}

// Computes the bounds of the moves of one kind; the terms of location tags must be added. If an arrival changes a value
// at `distance` from the mean by `delta`, the sum of squares changes by delta * (2 * distance + delta). The change of
// the mean subtracts delta * delta / n and, with a departure that shifts the sum of values, 2 * delta * shift / n,
// where n is the number of online nodes.
template <class Movers, class Targets>
void MoveBounds::evaluate(std::size_t kind, const Movers& mover, const Targets& target, const LaneSpan& lanes) {
  const Departures& d = departures_[kind];
  const bool as_primary = facts(kind_at(kind)).primary == MoveRole::Target;
  const auto most = static_cast<float>(1.0 - inverse_count_), twice = static_cast<float>(2 * inverse_count_);
  roots_.head(lanes.count).setZero();
  float* const roots = roots_.data();
  for (Position k = 0; k < reserved_; ++k) {
    if (!changes_target(kind, k)) continue;
    const auto add_roots = [&, this](const auto& delta_of) {
      for_lanes(width_, lanes.count,
                [delta_of, most, twice, roots, distance = target.distance_twice(k), left = mover.left(d, k),
                 shift = mover.shift(d, k)](Position i) {
                  const float delta = delta_of(i);
                  const float square = left[i] + delta * (distance[i] + most * delta - twice * shift[i]);
                  roots[i] += std::sqrt(square > 0.0F ? square : 0.0F);
                });
    };
    const auto amount = mover.amount(as_primary, k);
    const auto factor = target.factor(k);
    if (exclusive_storage_ && columns_[static_cast<std::size_t>(k)].model->spindle_factor != nullptr) {
      add_roots([amount, factor, spindles = mover.spindles(), spindle_factor = target.spindle_factor(k)](Position i) {
        return amount[i] * factor[i] + spindles[i] * spindle_factor[i];
      });
    } else {
      add_roots([amount, factor](Position i) { return amount[i] * factor[i]; });
    }
  }
  for_lanes(width_, lanes.count, [low = lanes.low, roots, start = mover.start()](Position i) {
    low[i] = start[i] + kLowered * static_cast<double>(roots[i]);
  });
  reserve(kind, mover, target, lanes);
  if (!memory_is_promised_) return;
  for_lanes(width_, lanes.count,
            [low = lanes.low, free = target.of(free_for_all_), refusal = mover.of(d.refusal),
             memory = mover.of(as_primary ? memory_ : secondary_memory_)](Position i) {
              low[i] += not_above(free[i], memory[i]) * refusal[i];
            });
}

// Adds the parts of the score that depend on reserved memory: its deviation, its total, and the N+1 failures.
template <class Movers, class Targets>
void MoveBounds::reserve(std::size_t kind, const Movers& mover, const Targets& target, const LaneSpan& lanes) {
  const MoveKindFacts& roles = facts(kind_at(kind));
  const Departures& d = departures_[kind];
  double* const low = lanes.low;
  const auto free = target.of(free_memory_), reserved = target.of(reserved_memory_);
  const auto count_with_one_more = target.of(count_with_one_more_), n1_failures = target.of(n1_failures_);
  const auto used_memory = mover.of(used_memory_), secondary_memory = mover.of(secondary_memory_);
  const auto left = mover.left_reserved(d);
  const auto shift = mover.shift_reserved(d);
  // Returns the root and the total for the node that is secondary after the move: `delta` is the scaled change of its
  // value, `distance` that of the scaled value from the mean before the move.
  const auto reservation = [left, shift, twice = 2 * inverse_count_, most = 1.0 - inverse_count_,
                            total_ratio = total_ratio_](Position i, double delta, double distance) {
    const double square = left[i] + delta * (2 * distance + most * delta - twice * shift[i]);
    return std::sqrt(square > 0.0 ? square : 0.0) + total_ratio * delta;
  };
  if (roles.primary != MoveRole::Target) {
    for_lanes(width_, lanes.count,
              [=, already = lanes.already, factor = target.reserved_factor(),
               distance = target.reserved_distance()](Position i) {
                const double after = std::max(already[i] + secondary_memory[i], reserved[i]);
                const double delta = (after - reserved[i]) * factor[i];
                low[i] += not_above(free[i], after) * count_with_one_more[i] - n1_failures[i] +
                          reservation(i, delta, distance[i]);
              });
    return;
  }
  for_lanes(width_, lanes.count, [=](Position i) {
    low[i] += not_above(free[i] - used_memory[i], reserved[i]) * count_with_one_more[i] - n1_failures[i];
  });
  if (kind_at(kind) == MoveKind::FailoverToAny) {
    for_lanes(width_, lanes.count, [=](Position i) { low[i] += std::sqrt(left[i] > 0.0 ? left[i] : 0.0); });
    return;
  }
  for_lanes(width_, lanes.count,
            [=, already = lanes.already, host_reserved = mover.of(d.host_reserved),
             host_before = mover.of(d.host_before), host_factor = mover.of(d.host_factor),
             host_distance = mover.of(d.host_distance), host_free = mover.of(d.host_free),
             host_count = mover.of(d.host_count), mean_shift = mean_shift_[reserved_]](Position i) {
              const double after = std::max(already[i] + secondary_memory[i], host_reserved[i]);
              const double delta = (after - host_before[i]) * host_factor[i];
              low[i] +=
                  not_above(host_free[i], after) * host_count[i] + reservation(i, delta, host_distance[i] - mean_shift);
            });
}

double MoveBounds::failover(std::size_t mover) const {
  const std::size_t kind = number(MoveKind::Failover);
  const Departures& d = departures_[kind];
  if (d.sums[index(mover)] == kInfinity) return kInfinity;
  double low = start(kind, index(mover)) + root(left(d, index(mover), reserved_));
  if (!locations_.empty()) low += location_term(mover, MoveKind::Failover, LocationTerms::kNoClass);
  return low;
}

double MoveBounds::apart_from_target(std::size_t mover, std::size_t kind) const {
  const Departures& d = departures_[kind];
  const Position m = index(mover);
  double low = start(kind, m) - most_relief_;
  if (kind_at(kind) == MoveKind::FailoverToAny) {
    low += root(left(d, m, reserved_));
  } else if (facts(kind_at(kind)).primary == MoveRole::Target) {
    const double after = std::max(secondary_memory_[m], d.host_reserved[m]);
    const double least = (after - d.host_before[m]) * d.host_factor[m];
    const double distance = d.host_distance[m] - mean_shift_[reserved_];
    low += root(arrival_of(d, m, reserved_).square(least, d.host_factor[m] > 0 ? kInfinity : least, distance));
    low += total_ratio_ * least + (d.host_free[m] <= after ? d.host_count[m] : 0.0);
  }
  return locations_.empty() ? low : low + least_location_term(mover);
}

// Computes what evaluate() and reserve() would for an imaginary target that is the best one in each component.
double MoveBounds::best_case(std::size_t mover, MoveKind move_kind) const {
  if (move_kind == MoveKind::Failover) return failover(mover);
  const std::size_t kind = number(move_kind);
  const Departures& d = departures_[kind];
  const Position m = index(mover);
  if (d.sums[m] == kInfinity) return kInfinity;
  const bool as_primary = facts(kind_at(kind)).primary == MoveRole::Target;
  double low = apart_from_target(mover, kind);
  for (Position k = 0; k < reserved_; ++k) {
    if (!changes_target(kind, k)) continue;
    const double amount = (as_primary ? primary_amount_ : secondary_amount_)(m, k);
    const auto [least, largest] = range_of_arrival(m, amount, k);
    const Arrival arrival = arrival_of(d, m, k);
    low += root(least < 0 && largest > 0
                    ? std::min(arrival.square(0.0, largest, lowest_distance_[k]),
                               arrival.square(least, 0.0, highest_distance_[k]))
                    : arrival.square(least, largest, largest > 0 ? lowest_distance_[k] : highest_distance_[k]));
  }
  if (!as_primary) low += root(arrival_of(d, m, reserved_).square(0.0, kInfinity, lowest_distance_[reserved_]));
  return low;
}

// The score of the location tags on the new primary and the collisions there are at least 0. So the collisions that end
// when the instance leaves its primary are the most that can be gained.
double MoveBounds::least_location_term(std::size_t mover) const {
  const MoverPlace& place = places_[mover];
  if (!place.primary_online) return 0.0;
  return weight(Component::LocationExclusion) *
         static_cast<double>(locations_.collision_change(movers_[mover], place.primary, LocationTerms::kNoClass));
}

const MoveBounds::TargetBounds& MoveBounds::to_targets(std::size_t mover, MoveKind move_kind, double limit) {
  const std::size_t kind = number(move_kind);
  TargetBounds& found = by_target_[kind];
  choose_runs(mover, kind, limit, found);
  found.lowest = found.rest;
  if (found.runs.empty()) return found;
  const Instance& instance = cluster_.instance(movers_[mover]);
  const auto note = [&](NodeIndex node, std::int64_t memory) {
    if (row_of(node) == kNoRow) return;
    already_on_target_[index(row_of(node))] = static_cast<double>(memory);
    noted_targets_.push_back(row_of(node));
  };
  const MoveKindFacts& roles = facts(move_kind);
  const auto old_node = [&](MoveRole role) {
    return role == MoveRole::OldPrimary ? instance.primary : instance.secondary;
  };
  if (!instance.facts->has_secondary()) {
    // Nothing is reserved for it.
  } else if (roles.primary != MoveRole::Target) {
    for (const auto& [node, memory] : reserving_[old_node(roles.primary).position()]) note(node, memory);
  } else {
    for (const auto& entry : cluster_.node(old_node(roles.secondary)).peers.entries())
      note(entry.primary, entry.memory);
  }
  const OneMover side{*this, index(mover), start(kind, index(mover))};
  for (const Run& run : found.runs) {
    evaluate(kind, side, TargetsFrom{*this, run.begin},
             {found.bounds.data() + run.begin, already_on_target_.data() + run.begin, run.end - run.begin});
  }
  for (std::size_t t : noted_targets_) already_on_target_[index(t)] = 0.0;
  noted_targets_.clear();
  if (!locations_.empty()) add_location_terms(mover, move_kind, found);
  for (NodeIndex own : {instance.primary, instance.secondary}) {
    if (!own.is_none() && row_of(own) != kNoRow) found.bounds[index(row_of(own))] = kInfinity;
  }
  for (std::size_t t : left_out_) found.bounds[index(t)] = kInfinity;
  for (Run& run : found.runs) run.lowest = found.bounds.segment(run.begin, run.end - run.begin).minCoeff();
  const auto best = std::ranges::min_element(found.runs, {}, &Run::lowest);
  const double* const bounds = found.bounds.data();
  found.first = std::find(bounds + best->begin, bounds + best->end, best->lowest) - bounds;
  found.lowest = std::min(found.rest, best->lowest);
  return found;
}

void MoveBounds::add_location_terms(std::size_t mover, MoveKind kind, TargetBounds& found) {
  term_of_class_.assign(locations_.class_count(), std::nullopt);
  for (const Run& run : found.runs) {
    for (Position t = run.begin; t < run.end; ++t) {
      const std::size_t target_class = locations_.class_of(targets_[static_cast<std::size_t>(t)]);
      std::optional<double>& term = term_of_class_[target_class];
      if (!term) term = location_term(mover, kind, target_class);
      found.bounds[t] += *term;
    }
  }
}

void MoveBounds::note_reservations(NodeIndex target, MoveKind kind) {
  const MoveRole role = reserving_role(kind);
  const auto note = [&](NodeIndex peer, std::int64_t memory) {
    const Node& n = cluster_.node(peer);
    for (InstanceIndex i : role == MoveRole::OldPrimary ? n.primaries : n.secondaries) {
      const std::size_t mover = mover_of_[i.position()];
      if (mover == kNoRow) continue;
      already_for_mover_[index(mover)] = static_cast<double>(memory);
      noted_movers_.push_back(mover);
    }
  };
  if (facts(kind).primary != MoveRole::Target) {
    for (const auto& entry : cluster_.node(target).peers.entries()) note(entry.primary, entry.memory);
  } else {
    for (const auto& [peer, memory] : reserving_[target.position()]) note(peer, memory);
  }
}

void MoveBounds::forget_reservations() {
  for (std::size_t m : noted_movers_) already_for_mover_[index(m)] = 0.0;
  noted_movers_.clear();
}

const Array& MoveBounds::from_all_movers(std::span<const NodeIndex> targets, MoveKind move_kind) {
  const std::size_t kind = number(move_kind);
  by_mover_.setConstant(kInfinity);
  if (!has_kind_[kind]) return by_mover_;
  start_all(kind);
  for (NodeIndex t : targets) {
    const Node& node = cluster_.node(t);
    note_reservations(t, move_kind);
    Array& low = by_mover_of_target_;
    evaluate(kind, AllMovers{*this}, OneTarget{*this, index(row_of(t))},
             {low.data(), already_for_mover_.data(), low.size()});
    forget_reservations();
    for (Position m = 0; !locations_.empty() && m < index(movers_.size()); ++m) {
      if (departures_[kind].sums[m] == kInfinity) continue;
      low[m] += location_term(static_cast<std::size_t>(m), move_kind, locations_.class_of(t));
    }
    for (const auto* list : {&node.primaries, &node.secondaries}) {
      for (InstanceIndex i : *list) {
        if (mover_of_[i.position()] != kNoRow) low[index(mover_of_[i.position()])] = kInfinity;
      }
    }
    by_mover_ = by_mover_.min(low);
  }
  return by_mover_;
}

const Array& MoveBounds::from_movers(NodeIndex target, MoveKind move_kind, const std::vector<std::size_t>& movers) {
  const std::size_t kind = number(move_kind);
  Array& low = of_some_movers_;
  low.setConstant(index(movers.size()), kInfinity);
  if (!has_kind_[kind] || movers.empty()) return low;
  Array starts(low.size()), already(low.size());
  note_reservations(target, move_kind);
  for (Position i = 0; i < low.size(); ++i) {
    const Position m = index(movers[static_cast<std::size_t>(i)]);
    starts[i] = start(kind, m);
    already[i] = already_for_mover_[m];
  }
  forget_reservations();
  evaluate(kind, SomeMovers{*this, movers, starts.data()}, OneTarget{*this, index(row_of(target))},
           {low.data(), already.data(), low.size()});
  for (Position i = 0; i < low.size(); ++i) {
    const std::size_t mover = movers[static_cast<std::size_t>(i)];
    const Instance& instance = cluster_.instance(movers_[mover]);
    if (instance.primary == target || instance.secondary == target) {
      low[i] = kInfinity;
    } else if (!locations_.empty() && low[i] != kInfinity) {
      low[i] += location_term(mover, move_kind, locations_.class_of(target));
    }
  }
  return low;
}

}  // namespace htools
