#include "placement/move_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"

namespace htools {

namespace {

using Array = MoveBounds::Array;
using Position = Eigen::Index;

constexpr std::size_t number(MoveKind kind) { return MoveBounds::number(kind); }

// The kinds that have a target, by what becomes of it.
constexpr std::array kPrimaryKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                   number(MoveKind::ReplaceAndFailover)};
constexpr std::array kSecondaryKinds{number(MoveKind::ReplaceSecondary), number(MoveKind::FailoverAndReplace)};
constexpr std::array kTargetKinds{number(MoveKind::FailoverToAny), number(MoveKind::ReplacePrimary),
                                  number(MoveKind::ReplaceAndFailover), number(MoveKind::ReplaceSecondary),
                                  number(MoveKind::FailoverAndReplace)};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExactAmount = 1LL << 50;  // amounts below are exact in a double, and so are their sums

Position index(std::size_t i) { return static_cast<Position>(i); }
Position whole_blocks(std::size_t lanes) {
  constexpr auto kLanes = static_cast<std::size_t>(MoveBounds::kLanes);
  return index((lanes + kLanes - 1) / kLanes * kLanes);
}
double component(const ComponentValues& values, Component c) { return values[index(position(c))]; }
constexpr double weight(Component c) { return kComponents[position(c)].weight; }

// The components that are plain sums and that the node alone determines, weighted.
double weighted_sums(const Node& node, const ComponentValues& values) {
  double sum = 0.0;
  if (node.offline) {
    for (Component c : {Component::OfflineAll, Component::OfflinePrimaries}) sum += weight(c) * component(values, c);
  } else {
    for (Component c : {Component::N1Failures, Component::PrimaryTags, Component::ReservedMemoryTotal}) {
      sum += weight(c) * component(values, c);
    }
  }
  return sum;
}

// 1 where `amount` is not above `limit`, else 0. Both are whole numbers.
MoveBounds::Lanes not_above(const MoveBounds::Lanes& amount, const MoveBounds::Lanes& limit) {
  return (limit - amount + 1.0).max(0.0).min(1.0);
}

double root(double square) { return std::sqrt(std::max(0.0, square)); }

}  // namespace

// The two sides of an evaluation: one mover and all targets, or all movers and one target. What belongs to the single
// one is a number, what belongs to the many is a block of lanes.
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
    a->setZero(lanes);
  }
}

MoveBounds::MoveBounds(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
                       const LocationTerms& locations, std::vector<InstanceIndex> movers, bool forthcoming_move)
    : cluster_(cluster),
      members_(members),
      rules_(rules),
      locations_(locations),
      movers_(std::move(movers)),
      mover_of_(cluster.instances.size(), kNoRow),
      row_of_(cluster.nodes.size(), kNoRow),
      sums_(cluster.nodes.size(), 0.0),
      reserving_(cluster.nodes.size()) {
  std::vector<ComponentValues> online_values;
  for (NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    if (node.offline) continue;
    row_of_[n.position()] = targets_.size();
    targets_.push_back(n);
    online_values.push_back(node_values(node));
    exclusive_storage_ = exclusive_storage_ || node.exclusive_storage;
  }
  std::vector<const Instance*> instances;
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    mover_of_[movers_[m].position()] = m;
    instances.push_back(&cluster.instance(movers_[m]));
  }
  usable_ = !targets_.empty() && !movers_.empty();
  if (!usable_) return;
  columns_ = arrival_columns(online_values, instances, forthcoming_move);
  reserved_ = index(columns_.size());

  const Position n = whole_blocks(targets_.size()), m = whole_blocks(movers_.size()), c = reserved_ + 1;
  inverse_count_ = 1.0 / static_cast<double>(targets_.size());
  scale_.resize(c);
  for (Position k = 0; k < reserved_; ++k) scale_[k] = columns_[static_cast<std::size_t>(k)].weight;
  scale_[reserved_] = weight(Component::ReservedMemory);
  scale_ *= std::sqrt(inverse_count_);
  total_ratio_ = weight(Component::ReservedMemoryTotal) / scale_[reserved_];
  for (Eigen::ArrayXXd* a : {&values_, &distance_, &factor_, &spindle_factor_}) a->setZero(n, c);
  for (Array* a : {&free_memory_, &reserved_memory_, &count_with_one_more_, &n1_failures_}) a->setZero(n);
  for (Eigen::ArrayXXd* a :
       {&primary_amount_, &secondary_amount_, &arrival_, &lowest_departure_, &highest_departure_, &largest_shift_}) {
    a->setZero(m, c);
  }
  for (Array* a : {&spindle_amount_, &used_memory_, &secondary_memory_, &drift_}) a->setZero(m);
  for (Array& bounds : by_target_) bounds.setConstant(n, kInfinity);
  by_mover_.setConstant(m, kInfinity);
  for (Departures& d : departures_) {
    d.sums.setConstant(m, kInfinity);
    d.start = d.sums;
  }
  for (NodeIndex node : members.nodes) describe_node(node);
  lowest_factor_ = factor_.topRows(index(targets_.size())).colwise().minCoeff();
  highest_factor_ = factor_.topRows(index(targets_.size())).colwise().maxCoeff();
  lowest_spindle_factor_ = spindle_factor_.topRows(index(targets_.size())).colwise().minCoeff();
  highest_spindle_factor_ = spindle_factor_.topRows(index(targets_.size())).colwise().maxCoeff();
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) describe_mover(mover);
  measure_arrival_of_reservations();
  summarise_nodes();
  reference_mean_ = mean_;
  mean_shift_ = mean_ - reference_mean_;
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) {
    describe_departures(mover);
    measure_departures(mover);
  }
  leave();
  collect_reservations();
  const auto exact = [](const auto& a) { return a.size() == 0 || a.abs().maxCoeff() < kExactAmount; };
  usable_ = values_.allFinite() && factor_.allFinite() && primary_amount_.allFinite() && squares_.allFinite() &&
            std::isfinite(unchanged_) && exact(primary_amount_) && exact(secondary_amount_) && exact(spindle_amount_) &&
            (factor_.col(reserved_).head(index(targets_.size())) > 0).all() && (used_memory_ >= 0).all() &&
            (secondary_memory_ >= 0).all() && exact(secondary_memory_) && exact(free_memory_) &&
            exact(reserved_memory_);
}

bool MoveBounds::describes(const Instance& instance, bool exclusive_storage) {
  return !instance.forthcoming && (!exclusive_storage || instance.total_spindles());
}

Component MoveBounds::component_of(Position column) const {
  return column == reserved_ ? Component::ReservedMemory : columns_[static_cast<std::size_t>(column)].model->component;
}

bool MoveBounds::changes_target(std::size_t kind, Position column) const {
  return facts(kind_at(kind)).primary == MoveRole::Target ||
         columns_[static_cast<std::size_t>(column)].model->changes_secondary;
}

void MoveBounds::describe_node(NodeIndex n) {
  const Node& node = cluster_.node(n);
  const ComponentValues values = node_values(node);
  sums_[n.position()] = weighted_sums(node, values);
  if (node.offline) return;
  const Position row = index(row_of(n));
  for (Position k = 0; k < reserved_; ++k) {
    const ArrivalModel& model = *columns_[static_cast<std::size_t>(k)].model;
    values_(row, k) = component(values, model.component) * scale_[k];
    factor_(row, k) = model.factor(node) * scale_[k];
    if (model.spindle_factor != nullptr) spindle_factor_(row, k) = model.spindle_factor(node) * scale_[k];
  }
  values_(row, reserved_) = component(values, Component::ReservedMemory) * scale_[reserved_];
  factor_(row, reserved_) = scale_[reserved_] / node.total_memory;
  free_memory_[row] = static_cast<double>(node.unallocated_memory());
  reserved_memory_[row] = static_cast<double>(node.books.reserved_memory);
  n1_failures_[row] = weight(Component::N1Failures) * component(values, Component::N1Failures);
  count_with_one_more_[row] =
      weight(Component::N1Failures) * static_cast<double>(node.books.primary_count + node.books.secondary_count + 1);
}

void MoveBounds::summarise_nodes() {
  // Relative error of a fold over all nodes, with a margin for the few operations around it.
  const double error = 16 * static_cast<double>(targets_.size()) * std::numeric_limits<double>::epsilon();
  const auto values = values_.topRows(index(targets_.size()));
  mean_ = values.colwise().sum().transpose() * inverse_count_;
  distance_.topRows(values.rows()) = values.rowwise() - mean_.transpose();
  const auto distances = distance_.topRows(values.rows());
  squares_ = distances.square().colwise().sum();
  lowest_distance_ = distances.colwise().minCoeff();
  highest_distance_ = distances.colwise().maxCoeff();
  most_relief_ = 0.0;
  for (Position t = 0; t < values.rows(); ++t) {
    if (free_memory_[t] > reserved_memory_[t]) most_relief_ = std::max(most_relief_, n1_failures_[t]);
  }
  const Array largest = values_.abs().colwise().maxCoeff().transpose() + 2 * arrival_.colwise().maxCoeff().transpose();
  slack_ = error * squares_ + error * inverse_count_ * largest.square();
  const double sums = total_ratio_ * values_.col(reserved_).abs().sum() + n1_failures_.sum();
  margin_ = 4 * error * (largest.sum() / std::sqrt(inverse_count_) + sums + 1);
  unchanged_ = squares_.sqrt().sum() + margin_;
}

// The largest change that a mover makes where it arrives. Reserved memory may also fall back to nothing.
void MoveBounds::measure_arrival_of_reservations() {
  arrival_.col(reserved_) =
      (2 * reserved_memory_.abs().maxCoeff() + secondary_memory_.abs()) * factor_.col(reserved_).abs().maxCoeff();
}

void MoveBounds::describe_mover(std::size_t mover) {
  const Instance& instance = cluster_.instance(movers_[mover]);
  const Position m = index(mover);
  for (Position k = 0; k < reserved_; ++k) {
    const ArrivalModel& model = *columns_[static_cast<std::size_t>(k)].model;
    primary_amount_(m, k) = model.as_primary(instance);
    secondary_amount_(m, k) = model.as_secondary(instance);
  }
  spindle_amount_[m] = spindle_amount(instance);
  used_memory_[m] = static_cast<double>(instance.used_memory());
  secondary_memory_[m] = static_cast<double>(instance.secondary_memory());
  for (Position k = 0; k < reserved_; ++k) {
    const double factor = std::max(std::abs(lowest_factor_[k]), std::abs(highest_factor_[k]));
    const double spindle_factor = std::max(std::abs(lowest_spindle_factor_[k]), std::abs(highest_spindle_factor_[k]));
    arrival_(m, k) = std::max(std::abs(primary_amount_(m, k)), std::abs(secondary_amount_(m, k))) * factor +
                     std::abs(spindle_amount_[m]) * spindle_factor;
  }
}

void MoveBounds::describe_departures(std::size_t mover) {
  for (Departures& d : departures_) d.sums[index(mover)] = kInfinity;
  const InstanceIndex i = movers_[mover];
  const Instance& instance = cluster_.instance(i);
  if (!is_candidate(cluster_, instance, rules_)) return;
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);

  const Node& primary = cluster_.node(instance.primary);
  const NodeBooks left = books_without_primary(primary, instance);
  NodeEffect leaving = effect_on(instance.primary, left);
  double location = 0.0;  // what the primary, if online, no longer counts
  if (!locations_.empty() && !primary.offline) {
    const auto score = instance.location_score + locations_.misses(i, locations_.class_of(instance.primary));
    location = -weight(Component::LocationScore) * static_cast<double>(score);
  }
  leaving.sums += location;
  if (!instance.has_secondary()) {
    if (!kinds.per_target.empty()) depart(mover, MoveKind::FailoverToAny, leaving);
    return;
  }
  const Node& secondary = cluster_.node(instance.secondary);
  const NodeBooks secondary_left = books_without_secondary(secondary, instance, instance.primary);
  const NodeEffect secondary_leaving = effect_on(instance.secondary, secondary_left);
  NodeEffect promoted;
  if (kinds.failover) {
    promoted = effect_on(instance.secondary, books_with_primary(secondary, secondary_left, instance));
    NodeEffect demoted = effect_on(instance.primary, books_with_secondary(primary, left, instance, instance.secondary));
    demoted.sums += location;
    depart(mover, MoveKind::Failover, demoted, promoted);
  }
  for (MoveKind kind : kinds.per_target) {
    if (kind == MoveKind::ReplaceSecondary) {
      NodeBooks same = primary.books;  // off and on again: only the N+1 flag is looked at anew
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
  }
}

MoveBounds::NodeEffect MoveBounds::effect_on(NodeIndex n, const NodeBooks& after) const {
  const Node& node = cluster_.node(n);
  const ComponentValues values = node_values(node, after);
  NodeEffect effect{weighted_sums(node, values) - sums_[n.position()], Row::Zero(reserved_ + 1),
                    Row::Zero(reserved_ + 1)};
  if (node.offline) return effect;
  const Position row = index(row_of(n));
  for (Position k = 0; k <= reserved_; ++k) {
    const double before = values_(row, k), moved = component(values, component_of(k)) * scale_[k];
    effect.squares[k] = (moved - before) * ((moved - reference_mean_[k]) + (before - reference_mean_[k]));
    effect.shift[k] = moved - before;
  }
  return effect;
}

void MoveBounds::depart(std::size_t mover, MoveKind kind, const NodeEffect& one, const NodeEffect& other) {
  Departures& d = departures_[number(kind)];
  if (!has_kind_[number(kind)]) {
    has_kind_[number(kind)] = true;
    for (Eigen::ArrayXXd* a : {&d.squares, &d.shift, &d.left}) a->setZero(primary_amount_.rows(), reserved_ + 1);
    for (Array* a : {&d.host_reserved, &d.host_before, &d.host_free, &d.host_count, &d.host_factor, &d.host_distance}) {
      a->setZero(primary_amount_.rows());
    }
  }
  const Position m = index(mover);
  d.squares.row(m) = (one.squares + other.squares).transpose();
  d.shift.row(m) = (one.shift + other.shift).transpose();
  d.sums[m] = one.sums + other.sums;
}

// The reserved memory of this node depends on the target: it is taken out of the departures again.
void MoveBounds::host(std::size_t mover, MoveKind kind, NodeIndex n, const NodeBooks& without) {
  const Node& node = cluster_.node(n);
  Departures& d = departures_[number(kind)];
  const Position m = index(mover);
  const double count = static_cast<double>(node.books.primary_count + node.books.secondary_count);
  if (node.offline) {
    d.host_count[m] = d.host_factor[m] = d.host_distance[m] = 0.0;
    return;
  }
  const double factor = scale_[reserved_] / node.total_memory;
  const double before = static_cast<double>(node.books.reserved_memory);
  const double after =
      static_cast<double>(std::max(without.reserved_memory, cluster_.instance(movers_[mover]).secondary_memory()));
  const double distance = before * factor - reference_mean_[reserved_];
  const double change = (after - before) * factor;
  const double free = static_cast<double>(node.unallocated_memory(without));
  d.squares(m, reserved_) -= change * (2 * distance + change);
  d.shift(m, reserved_) -= change;
  d.sums[m] -= total_ratio_ * change + (free <= after ? weight(Component::N1Failures) * count : 0.0);
  d.host_reserved[m] = static_cast<double>(without.reserved_memory);
  d.host_before[m] = before;
  d.host_free[m] = free;
  d.host_count[m] = weight(Component::N1Failures) * count;
  d.host_factor[m] = factor;
  d.host_distance[m] = distance;
}

void MoveBounds::collect_reservations() {
  for (auto& list : reserving_) list.clear();
  for (NodeIndex n : members_.nodes) {
    for (const PeerMap::Entry& entry : cluster_.node(n).peers.entries()) {
      reserving_[entry.primary.position()].emplace_back(n, entry.memory);
    }
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

// The bounds of one block of lanes, for each kind that the mover has. Location tags come on top.
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

// The part of the score that depends on reserved memory: its column, its total, and the N+1 failures.
template <class Movers, class Targets>
void MoveBounds::reserve(std::size_t kind, const Movers& mover, const Targets& target, Position at, Lanes& low) const {
  const MoveKindFacts& roles = facts(kind_at(kind));
  const Departures& d = departures_[kind];
  Lanes after, delta, distance;  // of the node that will be secondary
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

// What the departures leave of the sums of squares, now that these have changed.
void MoveBounds::leave() {
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    if (!has_kind_[kind]) continue;
    Departures& d = departures_[kind];
    d.start = d.sums - unchanged_;
    for (Position k = 0; k <= reserved_; ++k) {
      d.left.col(k) = (squares_[k] - slack_[k]) + d.squares.col(k) -
                      d.shift.col(k) * (2 * mean_shift_[k] + inverse_count_ * d.shift.col(k));
      if (kind_at(kind) == MoveKind::Failover || (k < reserved_ && !changes_target(kind, k))) {
        d.start += d.left.col(k).max(0.0).sqrt();
      }
    }
  }
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

// As evaluate() and reserve(), with a target that is as suitable as any in each component.
double MoveBounds::best_case(std::size_t mover, std::size_t kind) const {
  const Departures& d = departures_[kind];
  const Position m = index(mover);
  if (d.start[m] == kInfinity) return kInfinity;
  const double most = 1.0 - inverse_count_;
  // The least square when a node's value changes by something between `least` and `largest`.
  const auto least_square = [&](Position k, double least, double largest, double distance) {
    if (most == 0) return 0.0;  // a single node: there are no targets anyway
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

// No place costs less than none at all.
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
  if (instance.has_secondary()) {
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

std::vector<std::size_t> MoveBounds::update(std::span<const NodeIndex> changed) {
  const Array old_squares = squares_, old_mean = mean_;
  std::vector<std::size_t> touched;
  for (NodeIndex n : changed) {
    describe_node(n);
    const Node& node = cluster_.node(n);
    for (const auto* list : {&node.primaries, &node.secondaries}) {
      for (InstanceIndex i : *list) {
        if (mover_of_[i.position()] != kNoRow) touched.push_back(mover_of_[i.position()]);
      }
    }
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  const Array old_mean_shift = mean_shift_;
  distance_range_ = highest_distance_.max(-lowest_distance_);
  summarise_nodes();
  mean_shift_ = mean_ - reference_mean_;
  drift_.setConstant(margin_);
  for (Position k = 0; k <= reserved_; ++k) {
    add_column_drift(k, old_squares[k], old_mean_shift[k], mean_[k] - old_mean[k]);
  }
  for (std::size_t mover : touched) {
    describe_departures(mover);
    measure_departures(mover);
  }
  leave();
  collect_reservations();
  measure_arrival_of_reservations();

  return touched;
}

// The ranges of what a mover's moves, to whatever target, do to a sum of squares and to the sum of values.
void MoveBounds::measure_departures(std::size_t mover) {
  const Position m = index(mover);
  lowest_departure_.row(m).setZero();
  highest_departure_.row(m).setZero();
  largest_shift_.row(m).setZero();
  for (const Departures& d : departures_) {
    if (d.sums[m] == kInfinity) continue;
    lowest_departure_.row(m) = lowest_departure_.row(m).min(d.squares.row(m));
    highest_departure_.row(m) = highest_departure_.row(m).max(d.squares.row(m));
    largest_shift_.row(m) = largest_shift_.row(m).max(d.shift.row(m).abs());
  }
}

// A column's sum of squares goes from `old_squares` to its new value, the mean moves by `mean_change`. A move changes
// the sum by some amount, before as after, but for the effect of the mean; the root's curve makes that worth more or
// less. The difference grows with the amount, so it is largest at an end of the amount's range.
void MoveBounds::add_column_drift(Position k, double old_squares, double old_mean_shift, double mean_change) {
  const double squares = squares_[k], distance = distance_range_[k];
  const bool falling = squares < old_squares;
  const double floor = -std::min(old_squares, squares);
  for (Position at = 0; at < drift_.size(); at += kLanes) {
    const Lanes arrival = arrival_.col(k).segment<kLanes>(at);
    const Lanes departure_shift = largest_shift_.col(k).segment<kLanes>(at), shift = departure_shift + arrival;
    const Lanes turned = 2 * std::abs(old_mean_shift) * departure_shift;
    const Lanes lowest = (lowest_departure_.col(k).segment<kLanes>(at) - turned -
                          (2 * distance * arrival).min(distance * distance) - shift * shift * inverse_count_)
                             .max(floor);
    const Lanes end =
        falling ? lowest
                : Lanes(highest_departure_.col(k).segment<kLanes>(at) + turned + arrival * (arrival + 2 * distance));
    const Lanes change =
        ((squares + end).max(0.0).sqrt() - root(squares)) - ((old_squares + end).max(0.0).sqrt() - root(old_squares));
    const Lanes mean_loss = 2 * std::abs(mean_change) * shift;
    const Lanes near_zero = (squares + lowest).max(mean_loss);
    drift_.segment<kLanes>(at) += (-change).max(0.0) + 2 * (near_zero.sqrt() - (near_zero - mean_loss).sqrt());
  }
}

}  // namespace htools
