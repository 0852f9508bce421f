#include "balance/move_bounds.h"

#include "balance/move_bounds_detail.h"
#include "metric/node_values.h"

namespace htools {

namespace detail {

double weighted_sums(const Node& node, const ComponentValues& values) {
  double sum = 0.0;
  if (node.offline) {
    for (Component c : {Component::OfflineAll, Component::OfflinePrimaries}) sum += weight(c) * values[c];
  } else {
    for (Component c : {Component::N1Failures, Component::PrimaryTags, Component::ReservedMemoryTotal}) {
      sum += weight(c) * values[c];
    }
  }
  return sum;
}

}  // namespace detail

using namespace detail;

namespace {

// The limit of usable amounts. Whole numbers below it are exact in a double, and so are sums of a few of them.
constexpr double kExactAmount = 1LL << 50;

// Returns the number of lanes rounded up to whole blocks of kLanes.
Position whole_blocks(std::size_t lanes) {
  constexpr auto kLanes = static_cast<std::size_t>(MoveBounds::kLanes);
  return index((lanes + kLanes - 1) / kLanes * kLanes);
}

}  // namespace

MoveBounds::MoveBounds(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
                       const LocationTerms& locations, std::vector<InstanceIndex> movers, bool forthcoming_move,
                       Position block)
    : cluster_(cluster),
      members_(members),
      rules_(rules),
      locations_(locations),
      movers_(std::move(movers)),
      mover_of_(cluster.instances.size(), kNoRow),
      block_(block),
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
    exclusive_storage_ = exclusive_storage_ || node.facts->exclusive_storage;
  }
  if (!locations_.empty()) places_.resize(movers_.size());
  std::vector<const Instance*> instances;
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    mover_of_[movers_[m].position()] = m;
    instances.push_back(&cluster.instance(movers_[m]));
  }
  usable_ = !targets_.empty() && !movers_.empty();
  if (!usable_) return;
  columns_ = contribution_columns(online_values, instances, forthcoming_move);
  reserved_ = index(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    components_.push_back(columns_[k].model->component);
    for (std::size_t kind = 0; kind < kKindCount; ++kind) {
      changes_target_[kind][k] =
          kind_at(kind) != MoveKind::Failover &&
          (facts(kind_at(kind)).primary == MoveRole::Target || columns_[k].model->changes_secondary);
    }
  }
  components_.push_back(Component::ReservedMemory);

  const Position n = whole_blocks(targets_.size()), m = whole_blocks(movers_.size()), c = reserved_ + 1;
  inverse_count_ = 1.0 / static_cast<double>(targets_.size());
  scale_.resize(c);
  for (Position k = 0; k < reserved_; ++k) scale_[k] = columns_[static_cast<std::size_t>(k)].weight;
  scale_[reserved_] = weight(Component::ReservedMemory);
  scale_ *= std::sqrt(inverse_count_);
  total_ratio_ = weight(Component::ReservedMemoryTotal) / scale_[reserved_];
  for (Eigen::ArrayXXd* a : {&values_, &distance_, &factor_, &spindle_factor_}) a->setZero(n, c);
  for (Array* a : {&free_memory_, &reserved_memory_, &count_with_one_more_, &n1_failures_, &free_for_all_})
    a->setZero(n);
  for (Eigen::ArrayXXd* a : {&primary_amount_, &secondary_amount_}) a->setZero(m, c);
  arrival_.setZero(m, c);
  for (Array* a : {&spindle_amount_, &memory_, &used_memory_, &secondary_memory_}) a->setZero(m);
  for (Array* a : {&largest_arrival_, &largest_lowering_, &largest_raising_, &largest_shift_}) a->setZero(c);
  for (Singles* a : {&distance_twice_, &factor_single_, &spindle_factor_single_}) a->setZero(n, reserved_);
  for (Singles* a : {&primary_amount_single_, &secondary_amount_single_}) a->setZero(m, reserved_);
  spindle_amount_single_.setZero(m);
  roots_.setZero(std::max(n, m));
  for (TargetBounds& found : by_target_) found.bounds.setConstant(index(targets_.size()), kInfinity);
  already_on_target_.setZero(n);
  already_for_mover_.setZero(m);
  for (Array* a : {&start_, &by_mover_, &by_mover_of_target_}) a->setConstant(m, kInfinity);
  for (Departures& d : departures_) d.sums.setConstant(m, kInfinity);
  for (Eigen::ArrayXf& drift : drift_) drift.setZero(m);
  for (NodeIndex node : members.nodes) describe_node(node);
  lowest_factor_ = factor_.topRows(index(targets_.size())).colwise().minCoeff();
  highest_factor_ = factor_.topRows(index(targets_.size())).colwise().maxCoeff();
  lowest_spindle_factor_ = spindle_factor_.topRows(index(targets_.size())).colwise().minCoeff();
  highest_spindle_factor_ = spindle_factor_.topRows(index(targets_.size())).colwise().maxCoeff();
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) describe_mover(mover);
  largest_arrival_ = arrival_.colwise().maxCoeff().cast<double>();
  memory_is_promised_ = (free_for_all_ < free_memory_).any() || (memory_ > used_memory_).any();
  largest_memory_ = memory_.maxCoeff();
  largest_used_memory_ = used_memory_.maxCoeff();
  largest_secondary_memory_ = secondary_memory_.maxCoeff();
  relate_factors();
  for (auto& by_node : exceptions_) by_node.resize(cluster.nodes.size());
  have_substitutes_ = !exclusive_storage_;
  for (Position k = 0; k < reserved_; ++k) {
    have_substitutes_ = have_substitutes_ && (is_signed_[static_cast<std::size_t>(k)] || largest_arrival_[k] == 0);
  }
  summarise_nodes();
  arrange_targets();
  reference_mean_ = mean_;
  mean_shift_ = mean_ - reference_mean_;
  for (std::size_t mover = 0; mover < movers_.size(); ++mover) {
    describe_departures(mover);
    measure_drift(mover);
  }
  prepare_lefts();
  collect_reservations();
  const auto exact = [](const auto& a) { return a.size() == 0 || a.abs().maxCoeff() < kExactAmount; };
  usable_ = values_.allFinite() && factor_.allFinite() && primary_amount_.allFinite() && squares_.allFinite() &&
            std::isfinite(unchanged_) && exact(primary_amount_) && exact(secondary_amount_) && exact(spindle_amount_) &&
            (factor_.col(reserved_).head(index(targets_.size())) > 0).all() && (used_memory_ >= 0).all() &&
            (secondary_memory_ >= 0).all() && exact(memory_) && exact(free_for_all_) && exact(secondary_memory_) &&
            exact(free_memory_) && exact(reserved_memory_) && fits_single_precision();
}

// The limits leave room for sums over many moves, and for squares of them.
bool MoveBounds::fits_single_precision() const {
  constexpr double kLargest = 1e9;
  const auto are_factors = [](const Eigen::ArrayXXd& a) {
    constexpr double kSmallest = 1e-25;
    return (a == 0 || a.abs() > kSmallest).all();
  };
  return values_.abs().maxCoeff() < kLargest && arrival_.maxCoeff() < kLargest && are_factors(factor_) &&
         are_factors(spindle_factor_);
}

bool MoveBounds::describes(const Instance& instance, bool exclusive_storage) {
  return !instance.facts->forthcoming && (!exclusive_storage || instance.facts->total_spindles());
}

void MoveBounds::describe_node(NodeIndex n) {
  const Node& node = cluster_.node(n);
  const ComponentValues values = node_values(node);
  sums_[n.position()] = weighted_sums(node, values);
  if (node.offline) return;
  const Position row = index(row_of(n));
  for (Position k = 0; k < reserved_; ++k) {
    const ContributionModel& model = *columns_[static_cast<std::size_t>(k)].model;
    values_(row, k) = values[model.component] * scale_[k];
    factor_(row, k) = model.factor(node) * scale_[k];
    if (model.spindle_factor != nullptr) spindle_factor_(row, k) = model.spindle_factor(node) * scale_[k];
  }
  factor_single_.row(row) = factor_.row(row).head(reserved_).cast<float>();
  spindle_factor_single_.row(row) = spindle_factor_.row(row).head(reserved_).cast<float>();
  values_(row, reserved_) = values[Component::ReservedMemory] * scale_[reserved_];
  factor_(row, reserved_) = scale_[reserved_] / node.facts->total_memory;
  free_memory_[row] = static_cast<double>(node.unallocated_memory());
  free_for_all_[row] = static_cast<double>(node.books.forthcoming_free_memory);
  reserved_memory_[row] = static_cast<double>(node.books.reserved_memory);
  n1_failures_[row] = weight(Component::N1Failures) * values[Component::N1Failures];
  count_with_one_more_[row] =
      weight(Component::N1Failures) * static_cast<double>(node.books.primary_count + node.books.secondary_count + 1);
}

void MoveBounds::summarise_nodes() {
  // The relative error of a sum over all nodes, with a margin for the few operations around it.
  const double error = 16 * static_cast<double>(targets_.size()) * std::numeric_limits<double>::epsilon();
  const auto values = values_.topRows(index(targets_.size()));
  mean_ = values.colwise().sum().transpose() * inverse_count_;
  distance_.topRows(values.rows()) = values.rowwise() - mean_.transpose();
  const auto distances = distance_.topRows(values.rows());
  distance_twice_.topRows(values.rows()) = (2 * distances.leftCols(reserved_)).cast<float>();
  squares_ = distances.square().colwise().sum();
  lowest_distance_ = distances.colwise().minCoeff();
  highest_distance_ = distances.colwise().maxCoeff();
  const auto pulls = distances * relative_factor_.topRows(values.rows());
  lowest_pull_ = pulls.colwise().minCoeff().transpose().min(0.0);
  highest_pull_ = pulls.colwise().maxCoeff().transpose().max(0.0);
  for (Position k = 0; k <= reserved_; ++k) {
    if (is_signed_[static_cast<std::size_t>(k)]) continue;
    highest_pull_[k] = std::max(highest_distance_[k], -lowest_distance_[k]);
    lowest_pull_[k] = -highest_pull_[k];
  }
  most_relief_ = 0.0;
  for (Position t = 0; t < values.rows(); ++t) {
    if (free_memory_[t] > reserved_memory_[t]) most_relief_ = std::max(most_relief_, n1_failures_[t]);
  }
  Array largest = values_.abs().colwise().maxCoeff().transpose() + 2 * largest_arrival_;
  // A move may also end the reservation of a node.
  largest[reserved_] += 4 * reserved_memory_.abs().maxCoeff() * highest_factor_[reserved_];
  rounding_ = error * largest;
  slack_ = error * squares_ + error * inverse_count_ * largest.square();
  const double sums = total_ratio_ * values_.col(reserved_).abs().sum() + n1_failures_.sum();
  margin_ = 4 * error * (largest.sum() / std::sqrt(inverse_count_) + sums + 1);
  unchanged_ = squares_.sqrt().sum() + margin_;
}

void MoveBounds::collect_reservations() {
  for (auto& list : reserving_) list.clear();
  for (NodeIndex n : members_.nodes) {
    for (const PeerMap::Entry& entry : cluster_.node(n).peers.entries()) {
      reserving_[entry.primary.position()].emplace_back(n, entry.memory);
    }
  }
}

// Only the changed nodes reserve something else, and only for each other: an instance that moves, and whose secondary
// reserves memory for its primary, has changed both. (Collecting all reservations again takes 8 per cent of the first
// 1,000 steps on 10,000 nodes.)
void MoveBounds::update_reservations(std::span<const NodeIndex> changed) {
  for (const NodeIndex primary : changed) {
    auto& list = reserving_[primary.position()];
    for (const NodeIndex n : changed) {
      std::erase_if(list, [n](const auto& entry) { return entry.first == n; });
      if (const std::int64_t memory = cluster_.node(n).peers.memory_for(primary); memory > 0) {
        list.emplace_back(n, memory);
      }
    }
  }
}

std::vector<std::size_t> MoveBounds::update(std::span<const NodeIndex> changed) {
  const Before before{squares_, mean_, mean_shift_, lowest_pull_, highest_pull_};
  std::vector<std::size_t> touched;
  for (NodeIndex n : changed) {
    describe_node(n);
    for (auto& by_node : exceptions_) by_node[n.position()].clear();
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
  compute_drift(before);
  for (std::size_t mover : touched) {
    describe_departures(mover);
    measure_drift(mover);
  }
  for (NodeIndex n : changed) {
    if (block_low_.size() > 0 && row_of(n) != kNoRow) describe_block(index(row_of(n)) / block_);
  }
  // Blocks fall apart as nodes change. The search may know targets by their positions as long as it leaves some out.
  changes_since_arranged_ += index(changed.size());
  if (changes_since_arranged_ * 8 >= index(targets_.size()) && left_out_.empty()) {
    arrange_targets();
    mean_shift_ = mean_ - reference_mean_;
  }
  prepare_lefts();
  update_reservations(changed);
  return touched;
}

}  // namespace htools
