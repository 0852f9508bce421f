#include "survival/move_estimates.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "cluster/bookkeeping.h"
#include "metric/estimate_noise.h"
#include "metric/node_values.h"

namespace htools {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The most by which a move may change a variance, as a fraction of it, so that its root is estimated.
constexpr double kLargestGain = 0.25;

constexpr double weight(Component c) { return kComponents[position(c)].weight; }
constexpr double kFailureWeight = weight(Component::N1Failures);

bool is_moved(std::size_t k) {
  constexpr const auto& moved = MoveEstimates::kMoved;
  return std::find(moved.begin(), moved.end(), static_cast<Component>(k)) != moved.end();
}

// An instance that takes nothing. A node that takes it only settles its books: reported values become computed ones.
const Instance& empty_instance() {
  static const Instance empty = [] {
    InstanceFacts facts;
    facts.disk_template = DiskTemplate::Diskless;
    facts.utilisation = {};
    return Instance(facts);
  }();
  return empty;
}

// True if the amount is exact as a floating-point number, with room for sums.
bool is_exact(std::int64_t amount) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 50;
  return -kLarge < amount && amount < kLarge;
}

Eigen::Map<const Eigen::ArrayXd> array(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

// What an instance with this memory adds to the sums of the score if it comes to a node; infinity if it cannot.
struct MoveEstimates::Prices {
  const double *free, *reserved, *price, *failure_price;
  double memory;

  double at(std::ptrdiff_t t) const {
    // Compilers use vectors only if the choices are between constants.
    const double left = free[t] - memory;
    const double fails = left <= reserved[t] ? 1.0 : 0.0;
    const double refused = left > 0 ? 0.0 : kInfinity;
    return price[t] + fails * failure_price[t] + refused;
  }
};

// What one component adds to the estimates. If the variance V of n values grows by g / n, its root grows by about
// sqrt(V) (g / (2 n V) - g^2 / (8 n^2 V^2)).
struct MoveEstimates::Term {
  const double *values, *slopes, *jumps;  // of its column
  double variance, sum;                   // before the move
  double weight, amount;
  double mean, rest;     // of the values; and the part of a change that does not go into the mean
  double first, second;  // the factors of g and of -g^2
  double noise;          // a bound of the error of a variance

  template <bool with_jumps>
  double at(std::ptrdiff_t t) const {
    const double delta = with_jumps ? jumps[t] + amount * slopes[t] : amount * slopes[t];
    const double growth = delta * (2 * (values[t] - mean) + delta * rest);
    return growth * (first - second * growth);
  }
};

std::optional<MoveEstimates::Load> MoveEstimates::Load::of(const Instance& instance) {
  const InstanceFacts& facts = *instance.facts;
  const bool changes_more = facts.forthcoming || facts.uses_local_storage() || !facts.exclusion_tags().empty() ||
                            !facts.desired_location_tags.empty() || instance.location_score != 0 ||
                            !instance.secondary.is_none();
  if (changes_more || !is_exact(facts.memory) || !is_exact(facts.vcpus)) return std::nullopt;
  const auto& use = facts.utilisation;
  const auto memory = static_cast<double>(facts.used_memory()), vcpus = static_cast<double>(facts.counted_vcpus());
  return Load{{-memory, vcpus, use.cpu, use.memory, use.disk, use.network, -static_cast<double>(facts.memory), vcpus},
              memory};
}

MoveEstimates::MoveEstimates(const Trial& trial, const std::vector<NodeIndex>& nodes)
    : trial_(trial), nodes_(nodes), watch_(trial, nodes), irregular_(nodes.size(), 0) {
  lowest_.resize((nodes.size() + kStripSize - 1) / kStripSize);
  const std::size_t size = lowest_.size() * kStripSize;
  for (Column& column : columns_) {
    for (auto* values : {&column.values, &column.slopes, &column.jumps}) values->assign(size, 0.0);
  }
  for (auto* values : {&reserved_memory_, &price_, &failure_price_, &estimates_}) values->assign(size, 0.0);
  free_memory_.assign(size, -kInfinity);
}

std::size_t MoveEstimates::place_of(NodeIndex node) const {
  return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
}

void MoveEstimates::enter(std::size_t at) {
  const Node& node = trial_.cluster().node(nodes_[at]);
  const NodeFacts& facts = *node.facts;
  const ComponentValues values = node_values(node);
  const ComponentValues settled = node_values(node, books_with_primary(node, empty_instance()));
  bool irregular = facts.exclusive_storage || !is_exact(node.unallocated_memory()) ||
                   !is_exact(node.books.reserved_memory) || !is_exact(node.books.forthcoming_free_memory);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const bool counts = kComponents[k].nodes == NodeSet::Online && k != position(Component::N1Failures);
    if (!node.offline && counts && !is_moved(k)) irregular |= !(values[k] == settled[k]);
  }
  const double per_memory = 1 / facts.total_memory, per_vcpu = 1 / facts.total_cpus / facts.cpu_speed;
  const Amounts slopes{per_memory, per_vcpu, 1.0, 1.0, 1.0, 1.0, per_memory, per_vcpu};
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    columns_[m].values[at] = node.offline ? 0.0 : values[kMoved[m]];
    columns_[m].slopes[at] = node.offline ? 0.0 : slopes[m];
    columns_[m].jumps[at] = node.offline ? 0.0 : settled[kMoved[m]] - values[kMoved[m]];
  }
  free_memory_[at] = static_cast<double>(node.unallocated_memory());
  reserved_memory_[at] = static_cast<double>(node.books.reserved_memory);
  const auto instances = static_cast<double>(node.books.primary_count + node.books.secondary_count);
  price_[at] = node.offline ? weight(Component::OfflineAll) + weight(Component::OfflinePrimaries)
                            : -kFailureWeight * values[Component::N1Failures];
  failure_price_[at] = node.offline ? 0.0 : kFailureWeight * (instances + 1);
  irregular_count_ += static_cast<std::size_t>(irregular) - static_cast<std::size_t>(irregular_[at]);
  irregular_[at] = irregular;
}

void MoveEstimates::refresh() {
  const std::span<const NodeIndex> changed = watch_.changed();
  if (is_entered_ && changed.empty()) return;
  if (is_entered_) {
    for (NodeIndex n : changed) enter(place_of(n));
  } else {
    for (std::size_t at = 0; at < nodes_.size(); ++at) enter(at);
    is_entered_ = true;
  }
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    Column& column = columns_[m];
    column.lowest = array(column.values).minCoeff();
    column.highest = array(column.values).maxCoeff();
    column.largest_slope = array(column.slopes).abs().maxCoeff();
    column.largest_jump = array(column.jumps).abs().maxCoeff();
    const auto is_like = [&](const Column& other) {
      return other.values == column.values && other.slopes == column.slopes && other.jumps == column.jumps;
    };
    // A column with NaN is not even like itself.
    const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(m);
    twin_[m] = static_cast<std::size_t>(std::find_if(columns_.begin(), end, is_like) - columns_.begin());
  }
}

bool MoveEstimates::start(const Statistics& base) {
  refresh();
  if (irregular_count_ > 0 || !base.has_components()) return false;
  online_ = base.online();
  largest_score_ = std::abs(base.score());
  changes_ = 0;
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    progress_[m] = {.variance = base.variances()[position(kMoved[m])],
                    .sum = base.sums()[position(kMoved[m])],
                    .lowest = columns_[m].lowest,
                    .highest = columns_[m].highest,
                    .twin = twin_[m]};
  }
  return true;
}

void MoveEstimates::finish() {
  for (; !saved_.empty(); saved_.pop_back()) {
    const Saved& old = saved_.back();
    for (std::size_t m = 0; m < kMovedCount; ++m) {
      columns_[m].values[old.place] = old.values[m];
      columns_[m].jumps[old.place] = old.jumps[m];
    }
    free_memory_[old.place] = old.free_memory;
    price_[old.place] = old.price;
    failure_price_[old.place] = old.failure_price;
  }
}

void MoveEstimates::save(std::size_t at) {
  Saved& saved = saved_.emplace_back(Saved{at, {}, {}, free_memory_[at], price_[at], failure_price_[at]});
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    saved.values[m] = columns_[m].values[at];
    saved.jumps[m] = columns_[m].jumps[at];
  }
}

void MoveEstimates::shift(std::size_t at, const Amounts& amounts, double sign) {
  constexpr double kChangesPerUnit = 16;  // after so many changes, the error of the sum counts as much as that of one
  ++changes_;
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    Column& column = columns_[m];
    Progress& now = progress_[m];
    const double before = column.values[at], delta = column.jumps[at] + sign * amounts[m] * column.slopes[at];
    const double after = before + delta;
    if (delta != 0) {
      now.variance = updated_variance(now.variance, online_, now.sum, delta, delta * (before + after));
      now.sum += delta;
      now.lowest = std::min(now.lowest, after);
      now.highest = std::max(now.highest, after);
      const double size = std::max(std::abs(now.lowest), std::abs(now.highest));
      now.noise += kEstimateError * (now.variance + size * size / online_ * (1 + changes_ / kChangesPerUnit));
    }
    column.values[at] = after;
    column.jumps[at] = 0.0;
  }
}

void MoveEstimates::bar(NodeIndex node) {
  const std::size_t at = place_of(node);
  save(at);
  price_[at] = kInfinity;
}

void MoveEstimates::leave(NodeIndex node, const Load& load) {
  const std::size_t at = place_of(node);
  save(at);
  shift(at, load.amounts, -1);
}

void MoveEstimates::come(NodeIndex node, const Load& load) {
  const std::size_t at = place_of(node);
  save(at);
  largest_score_ += std::abs(prices(load.memory).at(static_cast<std::ptrdiff_t>(at)));
  shift(at, load.amounts, +1);
  free_memory_[at] -= load.memory;
  if (failure_price_[at] == 0) return;  // the node is offline
  price_[at] = free_memory_[at] <= reserved_memory_[at] ? -failure_price_[at] : 0.0;
  failure_price_[at] += kFailureWeight;
}

void MoveEstimates::separate_twins(const Amounts& amounts) {
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    const std::size_t twin = progress_[m].twin;
    if (twin == m || amounts[m] == amounts[twin]) continue;
    for (std::size_t other = m; other < kMovedCount; ++other) {
      if (progress_[other].twin == twin && amounts[other] == amounts[m]) progress_[other].twin = m;
    }
  }
}

MoveEstimates::Prices MoveEstimates::prices(double memory) const {
  return {free_memory_.data(), reserved_memory_.data(), price_.data(), failure_price_.data(), memory};
}

template <bool with_jumps, std::size_t... term>
void MoveEstimates::estimate_all(std::index_sequence<term...>, const Terms& terms, double memory) {
  for_lanes(width_, static_cast<std::ptrdiff_t>(estimates_.size()),
            [=, estimates = estimates_.data(), prices = prices(memory)](std::ptrdiff_t t) {
              estimates[t] = (prices.at(t) + ... + terms[term].template at<with_jumps>(t));
            });
}

template <std::size_t count>
void MoveEstimates::estimate_first(const Terms& terms, std::size_t term_count, bool with_jumps, double memory) {
  if constexpr (count > 0) {
    if (term_count < count) return estimate_first<count - 1>(terms, term_count, with_jumps, memory);
  }
  constexpr std::make_index_sequence<count> indices;
  with_jumps ? estimate_all<true>(indices, terms, memory) : estimate_all<false>(indices, terms, memory);
}

double MoveEstimates::find_lowest() {
  const auto strips = static_cast<std::ptrdiff_t>(lowest_.size());
  for_lanes(width_, strips, [=, estimates = estimates_.data(), lowest = lowest_.data()](std::ptrdiff_t s) {
    double low = estimates[s];
    for (std::ptrdiff_t row = 1; row < static_cast<std::ptrdiff_t>(kStripSize); ++row) {
      const double other = estimates[row * strips + s];
      low = other < low ? other : low;
    }
    lowest[s] = low;
  });
  return *std::min_element(lowest_.begin(), lowest_.end());
}

// First, the variances of all targets are rooted by the series, if moves change them little. Then, those of the targets
// that may be the best are rooted one by one.
bool MoveEstimates::find_best_target(const Load& load, NodeIndex& best) {
  separate_twins(load.amounts);
  Terms terms{};
  std::size_t term_count = 0;
  bool with_jumps = false, use_series = true;
  // How far estimates by the series may be off: what rounding errors make, and the rest of the series. That is at most
  // D^3 / 8 for the root of 1 + d, if |d| <= D <= kLargestGain.
  double noise = 0.0, largest_rest = 0.0;
  double largest_sum = largest_score_;
  for (std::size_t m = 0; m < kMovedCount; ++m) {
    const Progress& now = progress_[m];
    const Column& column = columns_[m];
    const double change = column.largest_jump + std::abs(load.amounts[m]) * column.largest_slope;
    if (now.twin != m || change == 0) continue;
    with_jumps |= column.largest_jump > 0;
    double weight_of_all = 0.0;
    for (std::size_t other = m; other < kMovedCount; ++other) {
      if (progress_[other].twin == m) weight_of_all += weight(kMoved[other]);
    }
    const double deviation = std::sqrt(now.variance), mean = now.sum / online_;
    const double distance = std::max(now.highest - mean, mean - now.lowest);
    const double size = distance + 2 * std::abs(mean) + deviation + change;
    const double gain = change * (2 * distance + change) / (online_ * now.variance);
    const double first = weight_of_all * deviation / (2 * online_ * now.variance);
    const double second = first / (4 * online_ * now.variance);
    const double noise_of_variance = now.noise + variance_noise(online_, now.variance, size, change);
    terms[term_count++] = {column.values.data(),
                           column.slopes.data(),
                           column.jumps.data(),
                           now.variance,
                           now.sum,
                           weight_of_all,
                           load.amounts[m],
                           mean,
                           1 - 1 / online_,
                           first,
                           second,
                           noise_of_variance};
    use_series &= gain <= kLargestGain;
    noise += weight_of_all * noise_of_variance / std::sqrt(now.variance * (1 - gain));
    largest_rest += weight_of_all * deviation * gain * gain * gain / 8;
    largest_sum += weight_of_all * size;
  }
  if (!std::isfinite(largest_sum)) return false;

  estimate_first<kMovedCount>(terms, use_series ? term_count : 0, with_jumps, load.memory);
  best = NodeIndex::none();
  const double lowest = find_lowest();
  if (lowest == kInfinity) return true;
  const double noise_of_sum = kEstimateError * (largest_sum + std::abs(lowest));
  const double limit =
      use_series ? lowest + 2 * (noise + noise_of_sum + largest_rest) : std::numeric_limits<double>::max();

  double best_estimate = kInfinity, next_estimate = kInfinity;
  std::array<double, kMovedCount> least_variances;
  least_variances.fill(kInfinity);
  for (std::size_t strip = 0; strip < lowest_.size(); ++strip) {
    if (!(lowest_[strip] <= limit)) continue;
    for (std::size_t t = strip; t < nodes_.size(); t += lowest_.size()) {
      if (!(estimates_[t] <= limit)) continue;
      double estimate = prices(load.memory).at(static_cast<std::ptrdiff_t>(t));
      for (std::size_t i = 0; i < term_count; ++i) {
        const Term& term = terms[i];
        const double delta = term.jumps[t] + term.amount * term.slopes[t];
        const double square_delta = delta * (2 * term.values[t] + delta);
        const double variance = updated_variance(term.variance, online_, term.sum, delta, square_delta);
        least_variances[i] = std::min(least_variances[i], variance);
        estimate += term.weight * (std::sqrt(variance) - std::sqrt(term.variance));
      }
      if (estimate < best_estimate) {
        best = nodes_[t];
        std::swap(estimate, best_estimate);
      }
      next_estimate = std::min(next_estimate, estimate);
    }
  }
  double uncertainty = noise_of_sum;
  for (std::size_t i = 0; i < term_count; ++i) {
    uncertainty += terms[i].weight * terms[i].noise / std::sqrt(std::max(least_variances[i], terms[i].noise));
  }
  return next_estimate > best_estimate + 2 * uncertainty;
}

}  // namespace htools
