#include "placement/pair_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace htools {

namespace {

// The components, besides the shared ones and the N+1 failures, that only a primary or only a secondary changes.
constexpr std::array kPrimaryDeviations{
    Component::FreeMemory,          Component::VcpuRatio,   Component::CpuLoad,
    Component::MemoryLoad,          Component::NetworkLoad, Component::FreeMemoryForthcoming,
    Component::VcpuRatioForthcoming};
constexpr std::array kSecondaryDeviations{Component::ReservedMemory};
constexpr std::array kSecondarySums{Component::ReservedMemoryTotal};

constexpr double weight(Component c) { return kComponents[position(c)].weight; }

// Returns the change of the variance of n values with the sum `sum` if one of them grows by `delta` and its square by
// `square_delta`.
double variance_gain(double n, double sum, double delta, double square_delta) {
  return ((n * square_delta - (2 * sum) * delta) - delta * delta) / (n * n);
}

// Returns the weighted change of a standard deviation if one value x becomes y.
double deviation_change(const Statistics& base, Component c, double x, double y) {
  const double variance = base.variances()[c];
  const double changed = updated_variance(variance, base.online(), base.sums()[c], y - x, y * y - x * x);
  return weight(c) * (std::sqrt(changed) - std::sqrt(variance));
}

template <class Sides>
void keep_and_sort(Sides& sides, double limit) {
  std::erase_if(sides, [limit](const auto& side) { return side.bound > limit; });
  std::sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.bound < b.bound; });
}

template <class Sides>
double lowest_bound(const Sides& sides) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& side : sides) lowest = std::min(lowest, side.bound);
  return lowest;
}

}  // namespace

PairScores::PairScores(const Statistics& base, const std::vector<NodeClass>& classes, std::size_t list)
    : n_(base.online()), base_(base) {
  ComponentValues values = base.values();
  for (Component c : kSharedComponents) values[c] = 0.0;
  constant_ = weighted_sum(values);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const NodeClass& c = classes[i];
    if (c.members.empty() || c.list != list) continue;
    if (c.possible_primary) add_primary(c, i);
    for (std::size_t v = 0; v < c.variants.size(); ++v) {
      if (c.variants[v].possible && (v == 0 || c.variants[v].pairs > 0)) add_secondary(c, i, v);
    }
  }
  set_bounds();
}

void PairScores::add_primary(const NodeClass& c, std::size_t index) {
  PrimarySide side{.node_class = index, .bound = 0.0, .own = 0.0, .sum = {}, .variance = {}, .gain = {}};
  const ComponentValues& x = c.values;
  const ComponentValues& y = c.values_as_primary;
  for (Component k : kPrimaryDeviations) side.own += deviation_change(base_, k, x[k], y[k]);
  side.own += weight(Component::N1Failures) * (y[Component::N1Failures] - x[Component::N1Failures]);
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) {
    const Component k = kSharedComponents[i];
    const double delta = y[k] - x[k], square_delta = y[k] * y[k] - x[k] * x[k];
    side.sum[i] = base_.sums()[k] + delta;
    side.variance[i] = updated_variance(base_.variances()[k], n_, base_.sums()[k], delta, square_delta);
    side.gain[i] = variance_gain(n_, base_.sums()[k], delta, square_delta);
    largest_value_[i] = std::max({largest_value_[i], std::abs(x[k]), std::abs(y[k])});
  }
  primaries_.push_back(side);
}

void PairScores::add_secondary(const NodeClass& c, std::size_t index, std::size_t variant) {
  SecondarySide side{
      .node_class = index, .variant = variant, .bound = 0.0, .own = 0.0, .delta = {}, .square_delta = {}, .gain = {}};
  const ComponentValues& x = c.values;
  const ComponentValues& y = c.variants[variant].values;
  for (Component k : kSecondaryDeviations) side.own += deviation_change(base_, k, x[k], y[k]);
  for (Component k : kSecondarySums) side.own += weight(k) * (y[k] - x[k]);
  side.own += weight(Component::N1Failures) * (y[Component::N1Failures] - x[Component::N1Failures]);
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) {
    const Component k = kSharedComponents[i];
    side.delta[i] = y[k] - x[k];
    side.square_delta[i] = y[k] * y[k] - x[k] * x[k];
    side.gain[i] = variance_gain(n_, base_.sums()[k], side.delta[i], side.square_delta[i]);
    largest_value_[i] = std::max({largest_value_[i], std::abs(x[k]), std::abs(y[k])});
  }
  secondaries_.push_back(side);
}

void PairScores::set_bounds() {
  for (PrimarySide& side : primaries_) side.bound = side.own;
  for (SecondarySide& side : secondaries_) side.bound = side.own;
  offset_ = constant_;
  for (std::size_t i = 0; i < kSharedComponents.size() && !primaries_.empty() && !secondaries_.empty(); ++i) {
    const Component k = kSharedComponents[i];
    const double w = weight(kSharedComponents[i]);
    const double variance = base_.variances()[k];
    double low_p = primaries_[0].gain[i], high_p = low_p, low_s = secondaries_[0].gain[i], high_s = low_s;
    double delta_p = 0.0, delta_s = 0.0;
    for (const PrimarySide& side : primaries_) {
      low_p = std::min(low_p, side.gain[i]), high_p = std::max(high_p, side.gain[i]);
      delta_p = std::max(delta_p, std::abs(side.sum[i] - base_.sums()[k]));
    }
    for (const SecondarySide& side : secondaries_) {
      low_s = std::min(low_s, side.gain[i]), high_s = std::max(high_s, side.gain[i]);
      delta_s = std::max(delta_s, std::abs(side.delta[i]));
    }
    // The slack is the amount by which the variance may differ from the sum of its parts: the product of both changes,
    // and rounding errors.
    const double product = 2 * delta_p * delta_s / (n_ * n_);
    const double size = largest_value_[i] + delta_p + delta_s;
    const double noise = 1e-14 * (variance + size * size / n_);
    const double slack = product + noise;
    const double low = std::max(0.0, variance + low_p + low_s - slack);
    const double high = std::max(low, variance + high_p + high_s + slack);
    const double slope = high > low ? (std::sqrt(high) - std::sqrt(low)) / (high - low) : 0.0;
    offset_ += w * (std::sqrt(low) + slope * (variance - slack - low));
    for (PrimarySide& side : primaries_) side.bound += w * slope * side.gain[i];
    for (SecondarySide& side : secondaries_) side.bound += w * slope * side.gain[i];
  }
  offset_ -= rounding(offset_);
}

bool PairScores::is_finite() const {
  const auto finite = [](const auto& side) { return std::isfinite(side.bound); };
  return std::isfinite(offset_) && std::all_of(primaries_.begin(), primaries_.end(), finite) &&
         std::all_of(secondaries_.begin(), secondaries_.end(), finite);
}

void PairScores::keep_up_to(double limit) {
  const double lowest_primary = lowest_bound(primaries_), lowest_secondary = lowest_bound(secondaries_);
  keep_and_sort(primaries_, limit - offset_ - lowest_secondary);
  keep_and_sort(secondaries_, limit - offset_ - lowest_primary);
}

double PairScores::score(const PrimarySide& primary, const SecondarySide& secondary) const {
  double total = constant_ + primary.own + secondary.own;
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) {
    total += weight(kSharedComponents[i]) * std::sqrt(updated_variance(primary.variance[i], n_, primary.sum[i],
                                                                       secondary.delta[i], secondary.square_delta[i]));
  }
  return total;
}

double PairScores::rounding(double score) { return 1e-12 * (1 + std::abs(score)); }

}  // namespace htools
