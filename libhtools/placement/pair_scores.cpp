#include "placement/pair_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "metric/components.h"

namespace htools {

namespace {

constexpr double weight(Component c) { return kComponents[position(c)].weight; }

constexpr bool is_shared(std::size_t k) {
  return std::find(kSharedComponents.begin(), kSharedComponents.end(), static_cast<Component>(k)) !=
         kSharedComponents.end();
}
constexpr bool is_own_deviation(std::size_t k) {
  return kComponents[k].aggregation == Aggregation::Deviation && !is_shared(k);
}

// Returns the components for which `holds(k)` is true.
template <class Holds>
constexpr auto components_that(Holds holds) {
  constexpr auto count = [](Holds h) {
    std::size_t n = 0;
    for (std::size_t k = 0; k < kComponentCount; ++k) n += h(k);
    return n;
  };
  std::array<std::size_t, count(Holds{})> chosen{};
  for (std::size_t k = 0, i = 0; k < kComponentCount; ++k) {
    if (holds(k)) chosen[i++] = k;
  }
  return chosen;
}
constexpr auto kOwnDeviations = components_that([](std::size_t k) { return is_own_deviation(k); });
constexpr auto kOwnSums = components_that([](std::size_t k) { return is_sum(k); });

}  // namespace

PairScores::PairScores(const Statistics& base, const SecondarySides& secondaries)
    : sides_(secondaries), n_(base.online()), base_(base), values_(base.values()) {
  ComponentValues values = values_;
  for (Component c : kSharedComponents) values[c] = 0.0;
  constant_ = weighted_sum(values);
  least_gain_.by_position.fill(std::numeric_limits<double>::infinity());
  highest_gain_.by_position.fill(-std::numeric_limits<double>::infinity());
}

// These loops are over all components, because the compiler makes vector instructions of them.
PairScores::Step PairScores::enter(const ComponentValues& x, const ComponentValues& y) {
  Step step;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    step.delta[k] = y[k] - x[k];
    step.square_delta[k] = y[k] * y[k] - x[k] * x[k];
    step.gain[k] = variance_gain(n_, base_.sums()[k], step.delta[k], step.square_delta[k]);
  }
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    largest_value_[k] = std::max(largest_value_[k], std::max(std::abs(x[k]), std::abs(y[k])));
    largest_delta_[k] = std::max(largest_delta_[k], std::abs(step.delta[k]));
    least_gain_[k] = std::min(least_gain_[k], step.gain[k]);
    highest_gain_[k] = std::max(highest_gain_[k], step.gain[k]);
  }
  return step;
}

double PairScores::own_change(const Step& step) const {
  double own = 0.0;
  for (std::size_t k : kOwnSums) own += kComponents[k].weight * step.delta[k];
  for (std::size_t k : kOwnDeviations) {
    if (step.delta[k] == 0) continue;
    const double changed =
        updated_variance(base_.variances()[k], n_, base_.sums()[k], step.delta[k], step.square_delta[k]);
    own += kComponents[k].weight * (std::sqrt(changed) - values_[k]);
  }
  return own;
}

void PairScores::add_primary(std::size_t node_class, const ComponentValues& before, const ComponentValues& after) {
  const Step step = enter(before, after);
  PrimarySide side{
      .node_class = node_class, .bound = 0.0, .own = own_change(step), .sum = {}, .variance = {}, .gain = {}};
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) {
    const Component k = kSharedComponents[i];
    side.sum[i] = base_.sums()[k] + step.delta[k];
    side.variance[i] = updated_variance(base_.variances()[k], n_, base_.sums()[k], step.delta[k], step.square_delta[k]);
    side.gain[i] = step.gain[k];
  }
  primaries_.push_back(side);
}

PairScores::SecondarySide PairScores::secondary(std::size_t side) const {
  SecondarySide result{.node_class = sides_.node_class(side),
                       .variant = sides_.variant(side),
                       .bound = bounds_[side],
                       .own = own_changes_[side],
                       .changes = {}};
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) result.changes[i] = sides_.change(side, i);
  return result;
}

std::size_t PairScores::lowest_secondary() const {
  return static_cast<std::size_t>(std::min_element(bounds_.begin(), bounds_.end()) - bounds_.begin());
}

void PairScores::set_bounds() {
  own_changes_ = sides_.own_changes(base_);
  bounds_ = own_changes_;
  for (PrimarySide& side : primaries_) side.bound = side.own;
  offset_ = constant_;
  for (std::size_t i = 0; i < kSharedComponents.size() && !primaries_.empty() && sides_.size() > 0; ++i) {
    const Component k = kSharedComponents[i];
    const double w = weight(kSharedComponents[i]);
    const double variance = base_.variances()[k];
    const SecondarySides::Gains gains = sides_.gains(base_, i);
    const double largest_p = largest_delta_[k], largest_s = sides_.largest_deltas()[k];
    // The slack is the amount by which the variance may differ from the sum of its parts: the product of both changes,
    // and rounding errors.
    const double product = 2 * largest_p * largest_s / (n_ * n_);
    const double size = std::max(largest_value_[k], sides_.largest_values()[k]) + largest_p + largest_s;
    const double noise = 1e-14 * (variance + size * size / n_);
    const double slack = product + noise;
    const double low = std::max(0.0, variance + least_gain_[k] + gains.lowest - slack);
    const double high = std::max(low, variance + highest_gain_[k] + gains.highest + slack);
    const double slope = high > low ? (std::sqrt(high) - std::sqrt(low)) / (high - low) : 0.0;
    offset_ += w * (std::sqrt(low) + slope * (variance - slack - low));
    for (PrimarySide& side : primaries_) side.bound += w * slope * side.gain[i];
    for (std::size_t side = 0; side < bounds_.size(); ++side) bounds_[side] += w * slope * gains.by_side[side];
  }
  offset_ -= rounding(offset_);
}

// Both the exact score and score() compute each value as a few operations on folds over n values. The noise of a
// variance covers their rounding errors: of the fold of squares, of the distances from the mean, of the mean itself,
// and of the changes. A root of a variance of at least `low` is off by no more than noise / sqrt(low).
double PairScores::uncertainty(const ComponentValues& base_noise) const {
  constexpr double kError = 1e-14;
  ComponentValues least_gain_of_secondary;
  for (std::size_t i = 0; i < kSecondaryDeviations.size() && sides_.size() > 0; ++i) {
    least_gain_of_secondary[kSecondaryDeviations[i]] = sides_.gains(base_, i).lowest;
  }
  double uncertainty = rounding(constant_);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes == NodeSet::Offline) continue;
    const double largest_p = largest_delta_[k], largest_s = sides_.largest_deltas()[k];
    const double largest = largest_p + largest_s;
    if (largest == 0) continue;  // its value does not change, not even in the last bit
    const double variance = base_.variances()[k];
    const double size =
        std::max(largest_value_[k], sides_.largest_values()[k]) + std::abs(base_.sums()[k] / n_) + std::sqrt(variance);
    if (kComponents[k].aggregation != Aggregation::Deviation) {
      uncertainty += kComponents[k].weight * 0.1 * kError * n_ * n_ * size;
      continue;
    }
    const double of_mean = kError * n_ * size;
    const double noise = base_noise[k] + kError * (n_ * variance + size * (std::sqrt(variance) + largest + size / n_)) +
                         of_mean * of_mean;
    const double low = variance + least_gain_[k] + least_gain_of_secondary[k] - 2 * largest_p * largest_s / (n_ * n_);
    uncertainty += kComponents[k].weight * noise / std::sqrt(std::max(low, noise));
  }
  return uncertainty;
}

bool PairScores::is_valid() const {
  for (std::size_t k : kOwnDeviations) {
    const bool possible = static_cast<Component>(k) == Component::ReservedMemory;
    if (sides_.largest_deltas()[k] > 0 && (!possible || largest_delta_[k] > 0)) return false;
  }
  return std::isfinite(offset_) &&
         std::all_of(primaries_.begin(), primaries_.end(),
                     [](const auto& side) { return std::isfinite(side.bound); }) &&
         std::all_of(bounds_.begin(), bounds_.end(), [](double bound) { return std::isfinite(bound); });
}

void PairScores::keep_secondaries_up_to(double limit) {
  for (std::size_t side = 0; side < bounds_.size(); ++side) {
    if (!(bounds_[side] > limit)) secondaries_.push_back(secondary(side));
  }
  std::sort(secondaries_.begin(), secondaries_.end(), kByBound);
}

void PairScores::keep_up_to(double limit) {
  const double lowest_primary = std::min_element(primaries_.begin(), primaries_.end(), kByBound)->bound;
  const double limit_of_primaries = limit - offset_ - bounds_[lowest_secondary()];
  keep_secondaries_up_to(limit - offset_ - lowest_primary);
  std::erase_if(primaries_, [&](const PrimarySide& side) { return side.bound > limit_of_primaries; });
  std::sort(primaries_.begin(), primaries_.end(), kByBound);
}

void PairScores::keep_all_secondaries() { keep_secondaries_up_to(std::numeric_limits<double>::infinity()); }

double PairScores::score(const PrimarySide& primary, const SecondarySide& secondary) const {
  double total = constant_ + primary.own + secondary.own;
  for (std::size_t i = 0; i < kSharedComponents.size(); ++i) {
    total += weight(kSharedComponents[i]) *
             std::sqrt(updated_variance(primary.variance[i], n_, primary.sum[i], secondary.changes[i].delta,
                                        secondary.changes[i].square_delta));
  }
  return total;
}

double PairScores::rounding(double score) { return 1e-12 * (1 + std::abs(score)); }

}  // namespace htools
