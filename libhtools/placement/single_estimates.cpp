#include "placement/single_estimates.h"

#include <algorithm>
#include <cmath>

#include "metric/estimate_noise.h"

namespace htools {

namespace {

constexpr bool is_online_deviation(std::size_t k) {
  return kComponents[k].nodes == NodeSet::Online && kComponents[k].aggregation == Aggregation::Deviation;
}
constexpr bool is_plain_sum(std::size_t k) {
  return kComponents[k].nodes == NodeSet::Online && kComponents[k].aggregation == Aggregation::Sum;
}

// Returns the weighted change of all sums.
double change_of_sums(const ComponentValues& before, const ComponentValues& after) {
  double sum = 0.0;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (is_plain_sum(k)) sum += kComponents[k].weight * (after[k] - before[k]);
  }
  return sum;
}

}  // namespace

void SingleEstimates::note(const ComponentValues& before, const ComponentValues& after) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    largest_value_[k] = std::max({largest_value_[k], std::abs(before[k]), std::abs(after[k])});
    largest_delta_[k] = std::max(largest_delta_[k], std::abs(after[k] - before[k]));
    std::size_t twin = any_noted_ ? twin_[k] : 0;
    while (twin < k && !(before[twin] == before[k] && after[twin] == after[k])) twin = any_noted_ ? k : twin + 1;
    twin_[k] = twin;
  }
  any_noted_ = true;
}

void SingleEstimates::add(const ComponentValues& x, const ComponentValues& y) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    columns_[k].delta.push_back(y[k] - x[k]);
    columns_[k].square_delta.push_back(y[k] * y[k] - x[k] * x[k]);
  }
  sums_.push_back(change_of_sums(x, y));
  note(x, y);
}

void SingleEstimates::remove(std::size_t place) {
  const auto replace_by_last = [&](std::vector<double>& values) {
    values[place] = values.back();
    values.pop_back();
  };
  for (Column& column : columns_) {
    replace_by_last(column.delta);
    replace_by_last(column.square_delta);
  }
  replace_by_last(sums_);
}

// Both the exact score and the estimate compute each value as a few operations on folds over n values.
std::vector<std::size_t> SingleEstimates::nearly_best(const Statistics& base) const {
  if (sums_.empty()) return {};
  const double n = base.online(), base_score = base.score();
  const auto count = static_cast<std::ptrdiff_t>(sums_.size());
  std::vector<double> estimates(sums_), variances(sums_.size());
  double largest_sum = std::abs(base_score), uncertainty = 0.0;
  std::array<double, kComponentCount> least_variance;  // after the changes; of the components that have been computed
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double largest = largest_delta_[k], variance = base.variances()[k], weight = kComponents[k].weight;
    if (largest == 0) continue;  // the value does not change, not even in the last bit
    const double size = largest_value_[k] + std::abs(base.sums()[k] / n) + std::sqrt(variance);
    if (is_plain_sum(k)) uncertainty += weight * 0.1 * kEstimateError * n * n * size;
    if (!is_online_deviation(k)) continue;
    const auto is_like = [&](std::size_t other) {
      return is_online_deviation(other) && twin_[other] == twin_[k] && base.variances()[other] == variance &&
             base.sums()[other] == base.sums()[k];
    };
    std::size_t first = 0;
    while (first < k && !is_like(first)) ++first;
    if (first == k) {
      double weight_of_all = 0.0;
      for (std::size_t other = k; other < kComponentCount; ++other) {
        if (is_like(other)) weight_of_all += kComponents[other].weight;
      }
      for_lanes(width_, count,
                [variances = variances.data(), estimates = estimates.data(), delta = columns_[k].delta.data(),
                 square_delta = columns_[k].square_delta.data(), variance, n, sum = base.sums()[k], weight_of_all,
                 before = std::sqrt(variance)](std::ptrdiff_t i) {
                  variances[i] = updated_variance(variance, n, sum, delta[i], square_delta[i]);
                  estimates[i] += weight_of_all * (std::sqrt(variances[i]) - before);
                });
      least_variance[k] = *std::min_element(variances.begin(), variances.end());
    }
    const double noise = variance_noise(n, variance, size, largest);
    uncertainty += weight * noise / std::sqrt(std::max(least_variance[first], noise));
    largest_sum += weight * size;
  }
  uncertainty += kEstimateError * largest_sum;

  std::vector<std::size_t> nearly_best;
  const double limit = *std::min_element(estimates.begin(), estimates.end()) + 2 * uncertainty;
  const bool finite = std::isfinite(base_score + limit) &&
                      std::all_of(estimates.begin(), estimates.end(), [](double e) { return std::isfinite(e); });
  for (std::size_t i = 0; i < estimates.size() && finite; ++i) {
    if (estimates[i] <= limit) nearly_best.push_back(i);
  }
  return nearly_best;
}

}  // namespace htools
