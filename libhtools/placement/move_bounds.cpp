#include "placement/move_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"

namespace htools {

namespace {

using Array = MoveBounds::Array;
using Position = Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExactAmount = 1LL << 50;  // amounts below are exact in a double, and so are their sums
constexpr std::size_t kRangeInterval = 32;  // updates after which the ranges are measured anew

Position index(std::size_t i) { return static_cast<Position>(i); }
double component(const ComponentValues& values, Component c) { return values[index(position(c))]; }
constexpr double weight(Component c) { return kComponents[position(c)].weight; }

// The components that are plain sums and that the books alone determine, weighted.
double weighted_sums(const Node& node, const NodeBooks& books) {
  const ComponentValues values = node_values(node, books);
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

double change_of_sums(const Node& node, const NodeBooks& after) {
  return weighted_sums(node, after) - weighted_sums(node, node.books);
}

void add_root(Array& low, double square) { low += std::sqrt(std::max(0.0, square)); }
template <class Squares>
void add_root(Array& low, const Eigen::ArrayBase<Squares>& squares) {
  low += squares.max(0.0).sqrt();
}

double root(double square) { return std::sqrt(std::max(0.0, square)); }

}  // namespace

// The two sides of an evaluation: one mover and all targets, or all movers and one target. What belongs to the single
// one is a number, what belongs to the many is an array.
struct MoveBounds::OneMover {
  const MoveBounds& b;
  Position m;
  double amount(bool primary, Position c) const { return (primary ? b.primary_amount_ : b.secondary_amount_)(m, c); }
  double spindles() const { return b.spindle_amount_[m]; }
  double used_memory() const { return b.used_memory_[m]; }
  double secondary_memory() const { return b.secondary_memory_[m]; }
  double sums(const Departures& d) const { return d.sums[m]; }
  double squares(const Departures& d, Position c) const { return d.squares(m, c); }
  double shift(const Departures& d, Position c) const { return d.shift(m, c); }
  double host(const Array& a) const { return a[m]; }
};

struct MoveBounds::AllMovers {
  const MoveBounds& b;
  auto amount(bool primary, Position c) const { return (primary ? b.primary_amount_ : b.secondary_amount_).col(c); }
  const Array& spindles() const { return b.spindle_amount_; }
  const Array& used_memory() const { return b.used_memory_; }
  const Array& secondary_memory() const { return b.secondary_memory_; }
  const Array& sums(const Departures& d) const { return d.sums; }
  auto squares(const Departures& d, Position c) const { return d.squares.col(c); }
  auto shift(const Departures& d, Position c) const { return d.shift.col(c); }
  const Array& host(const Array& a) const { return a; }
};

struct MoveBounds::OneTarget {
  const MoveBounds& b;
  Position t;
  double factor(Position c) const { return b.factor_(t, c); }
  double spindle_factor(Position c) const { return b.spindle_factor_(t, c); }
  double distance(Position c) const { return b.distance_(t, c); }
  double free_memory() const { return b.free_memory_[t]; }
  double reserved_memory() const { return b.reserved_memory_[t]; }
  double count_with_one_more() const { return b.count_with_one_more_[t]; }
  double n1_failures() const { return b.n1_failures_[t]; }
};

struct MoveBounds::AllTargets {
  const MoveBounds& b;
  auto factor(Position c) const { return b.factor_.col(c); }
  auto spindle_factor(Position c) const { return b.spindle_factor_.col(c); }
  auto distance(Position c) const { return b.distance_.col(c); }
  const Array& free_memory() const { return b.free_memory_; }
  const Array& reserved_memory() const { return b.reserved_memory_; }
  const Array& count_with_one_more() const { return b.count_with_one_more_; }
  const Array& n1_failures() const { return b.n1_failures_; }
};

void MoveBounds::Reservations::reset(std::size_t lanes) {
  for (Array* a : {&target_for_primary, &target_for_secondary, &primary_for_target, &secondary_for_target}) {
    a->setZero(index(lanes));
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
  usable_ = !targets_.empty();
  if (!usable_) return;
  columns_ = arrival_columns(online_values, instances, forthcoming_move);
  reserved_ = index(columns_.size());

  const Position n = index(targets_.size()), m = index(movers_.size()), c = reserved_ + 1;
  inverse_count_ = 1.0 / static_cast<double>(n);
  scale_.resize(c);
  for (Position k = 0; k < reserved_; ++k) scale_[k] = columns_[static_cast<std::size_t>(k)].weight;
  scale_[reserved_] = weight(Component::ReservedMemory);
  scale_ *= std::sqrt(inverse_count_);
  total_ratio_ = weight(Component::ReservedMemoryTotal) / scale_[reserved_];
  for (Eigen::ArrayXXd* a : {&values_, &distance_, &factor_, &spindle_factor_}) a->setZero(n, c);
  for (Array* a : {&free_memory_, &reserved_memory_, &count_with_one_more_, &n1_failures_}) a->setZero(n);
  for (Eigen::ArrayXXd* a : {&primary_amount_, &secondary_amount_}) a->setZero(m, c);
  for (Array* a : {&spindle_amount_, &used_memory_, &secondary_memory_}) a->setZero(m);
  for (Departures& d : departures_) {
    d.sums.setConstant(m, kInfinity);
    d.squares.setZero(m, c);
    d.shift.setZero(m, c);
    for (Array* a : {&d.host_reserved, &d.host_before, &d.host_free, &d.host_count, &d.host_factor, &d.host_distance}) {
      a->setZero(m);
    }
  }
  for (NodeIndex node : targets_) describe_node(node);
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) describe_mover(mover);
  arrival_range_.setZero(c);
  measure_arrivals();
  summarise_nodes();
  reference_mean_ = mean_;
  mean_shift_ = mean_ - reference_mean_;
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) describe_departures(mover);
  collect_reservations();
  measure_all_departures();
  measure_arrivals();
  const auto exact = [](const auto& a) { return a.size() == 0 || a.abs().maxCoeff() < kExactAmount; };
  usable_ = values_.allFinite() && factor_.allFinite() && primary_amount_.allFinite() && squares_.allFinite() &&
            std::isfinite(unchanged_) && exact(primary_amount_) && exact(secondary_amount_) && exact(spindle_amount_) &&
            exact(secondary_memory_) && exact(free_memory_) && exact(reserved_memory_);
}

bool MoveBounds::describes(const Instance& instance, bool exclusive_storage) {
  return !instance.forthcoming && (!exclusive_storage || instance.total_spindles());
}

void MoveBounds::describe_node(NodeIndex n) {
  const Node& node = cluster_.node(n);
  const Position row = index(row_of(n));
  const ComponentValues values = node_values(node);
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
  mean_ = values_.colwise().mean();
  distance_ = values_.rowwise() - mean_.transpose();
  squares_ = distance_.square().colwise().sum();
  const Array largest = values_.abs().colwise().maxCoeff().transpose() + 2 * arrival_range_;
  slack_ = error * squares_ + error * inverse_count_ * largest.square();
  const double sums = total_ratio_ * values_.col(reserved_).abs().sum() + n1_failures_.sum();
  const double margin = 4 * error * (largest.sum() / std::sqrt(inverse_count_) + sums + 1);
  unchanged_ = squares_.sqrt().sum() + margin;
}

// The largest change that an arriving instance makes. Factors of nodes and amounts of instances never change; only the
// reserved memory may also fall back to nothing.
void MoveBounds::measure_arrivals() {
  const auto largest = [](const auto& a) { return a.size() == 0 ? 0.0 : a.abs().maxCoeff(); };
  for (Position k = 0; k < reserved_; ++k) {
    arrival_range_[k] =
        std::max(largest(primary_amount_.col(k)), largest(secondary_amount_.col(k))) * largest(factor_.col(k)) +
        largest(spindle_amount_) * largest(spindle_factor_.col(k));
  }
  arrival_range_[reserved_] =
      (2 * largest(reserved_memory_) + largest(secondary_memory_)) * largest(factor_.col(reserved_));
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
}

void MoveBounds::describe_departures(std::size_t mover) {
  for (Departures& d : departures_) d.sums[index(mover)] = kInfinity;
  const InstanceIndex i = movers_[mover];
  const Instance& instance = cluster_.instance(i);
  if (!is_candidate(cluster_, instance, rules_)) return;
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);
  if (kinds.per_target.empty()) return;

  const Node& primary = cluster_.node(instance.primary);
  const NodeBooks left = books_without_primary(primary, instance);
  double location = 0.0;  // what the primary, if online, no longer counts
  if (!locations_.empty() && !primary.offline) {
    const auto score = instance.location_score + locations_.misses(i, locations_.class_of(instance.primary));
    location = -weight(Component::LocationScore) * static_cast<double>(score);
  }
  if (kinds.per_target.front() == MoveKind::FailoverToAny) {
    depart(mover, MoveKind::FailoverToAny, {{{&primary, left}}}, location);
    return;
  }
  const Node& secondary = cluster_.node(instance.secondary);
  const NodeBooks secondary_left = books_without_secondary(secondary, instance, instance.primary);
  for (MoveKind kind : kinds.per_target) {
    if (kind == MoveKind::ReplaceSecondary) {
      NodeBooks same = primary.books;  // off and on again: only the N+1 flag is looked at anew
      same.n1_failed = primary.unallocated_memory() <= same.reserved_memory;
      depart(mover, kind, {{{&primary, same}, {&secondary, secondary_left}}}, location);
    } else if (kind == MoveKind::ReplaceAndFailover) {
      const NodeBooks demoted = books_with_secondary(primary, left, instance, NodeIndex::none());
      depart(mover, kind, {{{&primary, demoted}, {&secondary, secondary_left}}}, location);
      host(mover, kind, primary, left);
    } else if (kind == MoveKind::ReplacePrimary) {
      const NodeBooks again = books_with_secondary(secondary, secondary_left, instance, NodeIndex::none());
      depart(mover, kind, {{{&primary, left}, {&secondary, again}}}, location);
      host(mover, kind, secondary, secondary_left);
    } else {
      const NodeBooks promoted = books_with_primary(secondary, secondary_left, instance);
      depart(mover, kind, {{{&primary, left}, {&secondary, promoted}}}, location);
    }
  }
}

void MoveBounds::depart(std::size_t mover, MoveKind kind, std::span<const std::pair<const Node*, NodeBooks>> nodes,
                        double sums) {
  Departures& d = departures_[number(kind)];
  const Position m = index(mover);
  d.squares.row(m).setZero();
  d.shift.row(m).setZero();
  for (const auto& [node, after] : nodes) {
    sums += change_of_sums(*node, after);
    if (node->offline) continue;
    const ComponentValues old_values = node_values(*node), new_values = node_values(*node, after);
    for (Position k = 0; k <= reserved_; ++k) {
      const Component c =
          k == reserved_ ? Component::ReservedMemory : columns_[static_cast<std::size_t>(k)].model->component;
      const double before = component(old_values, c) * scale_[k], moved = component(new_values, c) * scale_[k];
      d.squares(m, k) += (moved - before) * ((moved - reference_mean_[k]) + (before - reference_mean_[k]));
      d.shift(m, k) += moved - before;
    }
  }
  d.sums[m] = sums;
}

// The reserved memory of this node depends on the target: it is taken out of the departures again.
void MoveBounds::host(std::size_t mover, MoveKind kind, const Node& node, const NodeBooks& without) {
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

template <class Movers, class Targets>
void MoveBounds::evaluate(std::size_t kind, const Movers& mover, const Targets& target) {
  const MoveKindFacts& roles = facts(kind_at(kind));
  const Departures& d = departures_[kind];
  const bool as_primary = roles.primary == MoveRole::Target;
  const double most = 1.0 - inverse_count_;
  const auto departed = [&](Position k) {
    return (squares_[k] - slack_[k]) + mover.squares(d, k) -
           mover.shift(d, k) * (2 * mean_shift_[k] + inverse_count_ * mover.shift(d, k));
  };
  const auto add_changed = [&](Position k, const auto& distance) {
    add_root(low_, departed(k) + delta_ * (2 * distance + most * delta_ - 2 * inverse_count_ * mover.shift(d, k)));
  };
  for (Position k = 0; k < reserved_; ++k) {
    const ArrivalModel& model = *columns_[static_cast<std::size_t>(k)].model;
    if (!as_primary && !model.changes_secondary) {
      add_root(low_, departed(k));
      continue;
    }
    delta_ = mover.amount(as_primary, k) * target.factor(k);
    if (exclusive_storage_ && model.spindle_factor != nullptr) delta_ += mover.spindles() * target.spindle_factor(k);
    add_changed(k, target.distance(k));
  }
  if (as_primary) {
    low_ += (target.free_memory() - mover.used_memory() <= target.reserved_memory()).template cast<double>() *
                target.count_with_one_more() -
            target.n1_failures();
    if (kind_at(kind) == MoveKind::FailoverToAny) {
      add_root(low_, departed(reserved_));
      return;
    }
    const Array& reserved_already =
        roles.secondary == MoveRole::OldPrimary ? reservations_.primary_for_target : reservations_.secondary_for_target;
    reserved_after_ = (reserved_already + mover.secondary_memory()).max(mover.host(d.host_reserved));
    delta_ = (reserved_after_ - mover.host(d.host_before)) * mover.host(d.host_factor);
    add_changed(reserved_, mover.host(d.host_distance) - mean_shift_[reserved_]);
    low_ += (reserved_after_ >= mover.host(d.host_free)).template cast<double>() * mover.host(d.host_count);
  } else {
    const Array& reserved_already =
        roles.primary == MoveRole::OldPrimary ? reservations_.target_for_primary : reservations_.target_for_secondary;
    reserved_after_ = (reserved_already + mover.secondary_memory()).max(target.reserved_memory());
    delta_ = (reserved_after_ - target.reserved_memory()) * target.factor(reserved_);
    add_changed(reserved_, target.distance(reserved_));
    low_ += (reserved_after_ >= target.free_memory()).template cast<double>() * target.count_with_one_more() -
            target.n1_failures();
  }
  low_ += total_ratio_ * delta_;
}

const std::array<Array, MoveBounds::kKindCount>& MoveBounds::to_all_targets(std::size_t mover) {
  const InstanceIndex i = movers_[mover];
  const Instance& instance = cluster_.instance(i);
  reservations_.reset(targets_.size());
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
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    const double sums = departures_[kind].sums[index(mover)];
    if (sums == kInfinity) {
      by_target_[kind].setConstant(index(targets_.size()), kInfinity);
      continue;
    }
    low_.setConstant(index(targets_.size()), sums - unchanged_);
    evaluate(kind, OneMover{*this, index(mover)}, AllTargets{*this});
    if (!locations_.empty()) {
      for (std::size_t t = 0; t < targets_.size(); ++t) low_[index(t)] += location_term(i, kind_at(kind), targets_[t]);
    }
    for (NodeIndex own : {instance.primary, instance.secondary}) {
      if (!own.is_none() && row_of(own) != kNoRow) low_[index(row_of(own))] = kInfinity;
    }
    by_target_[kind] = low_;
  }
  return by_target_;
}

const Array& MoveBounds::from_all_movers(NodeIndex t) {
  const Node& node = cluster_.node(t);
  reservations_.reset(movers_.size());
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
  by_mover_.setConstant(index(movers_.size()), kInfinity);
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    const Departures& d = departures_[kind];
    if ((d.sums == kInfinity).all()) continue;
    low_ = d.sums - unchanged_;
    evaluate(kind, AllMovers{*this}, OneTarget{*this, index(row_of(t))});
    if (!locations_.empty()) {
      for (std::size_t m = 0; m < movers_.size(); ++m) {
        if (d.sums[index(m)] != kInfinity) low_[index(m)] += location_term(movers_[m], kind_at(kind), t);
      }
    }
    by_mover_ = by_mover_.min(low_);
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
  old_mean_shift_ = mean_shift_;
  distance_range_ = distance_.abs().colwise().maxCoeff();
  std::vector<std::size_t> touched;
  for (NodeIndex n : changed) {
    if (row_of(n) != kNoRow) describe_node(n);
    const Node& node = cluster_.node(n);
    for (const auto* list : {&node.primaries, &node.secondaries}) {
      for (InstanceIndex i : *list) {
        if (mover_of_[i.position()] != kNoRow) touched.push_back(mover_of_[i.position()]);
      }
    }
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  summarise_nodes();
  mean_shift_ = mean_ - reference_mean_;
  for (std::size_t mover : touched) describe_departures(mover);
  collect_reservations();

  drift_ = 64 * std::numeric_limits<double>::epsilon() * (1 + unchanged_);
  for (Position k = 0; k <= reserved_; ++k) drift_ += column_drift(k, old_squares[k], mean_[k] - old_mean[k]);
  if (++updates_ % kRangeInterval == 0) {
    measure_all_departures();
  } else {
    measure_departures(touched);
  }
  measure_arrivals();
  return touched;
}

void MoveBounds::measure_departures(std::span<const std::size_t> movers) {
  for (const Departures& d : departures_) {
    for (std::size_t mover : movers) {
      const Position m = index(mover);
      if (d.sums[m] == kInfinity) continue;
      lowest_departure_ = lowest_departure_.min(d.squares.row(m).transpose());
      highest_departure_ = highest_departure_.max(d.squares.row(m).transpose());
      largest_departure_ = largest_departure_.max(d.shift.row(m).transpose().abs());
    }
  }
}

void MoveBounds::measure_all_departures() {
  for (Array* a : {&lowest_departure_, &highest_departure_, &largest_departure_}) a->setZero(reserved_ + 1);
  std::vector<std::size_t> all(movers_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  measure_departures(all);
}

// The sum of squares before and after a step; a move's own change of it lies between `lowest` and `highest`, and is
// itself changed by `mean_loss` at most. The root's curve is steeper near zero: how much more can it fall there?
double MoveBounds::column_drift(Position k, double old_squares, double mean_change) const {
  const double distance = distance_range_[k], arrival = arrival_range_[k];
  const double shift = largest_departure_[k] + arrival;
  const double turned = 2 * std::abs(old_mean_shift_[k]) * largest_departure_[k];
  const double lowest = lowest_departure_[k] - turned - std::min(distance * distance, 2 * arrival * distance) -
                        shift * shift * inverse_count_;
  const double highest = highest_departure_[k] + turned + arrival * (arrival + 2 * distance);
  const auto change = [&](double d) {
    return (root(squares_[k] + d) - root(squares_[k])) - (root(old_squares + d) - root(old_squares));
  };
  const double reachable = std::max(lowest, -std::min(old_squares, squares_[k]));
  const double fall = std::max({0.0, -change(reachable), -change(highest)});
  const double mean_loss = 2 * std::abs(mean_change) * shift;
  const double near_zero = std::max(squares_[k] + reachable, mean_loss);
  return fall + 2 * (root(near_zero) - root(near_zero - mean_loss));
}

}  // namespace htools
