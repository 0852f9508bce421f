#include "placement/secondary_sides.h"

#include <algorithm>
#include <cmath>

#include "metric/components.h"

namespace htools {

namespace {

constexpr std::size_t kReserved = kSecondaryDeviations.size() - 1;  // the one that is not shared
static_assert(kSecondaryDeviations[kReserved] == Component::ReservedMemory);
static_assert(std::equal(kSharedComponents.begin(), kSharedComponents.end(), kSecondaryDeviations.begin()));

constexpr double weight_of(Component c) { return kComponents[position(c)].weight; }

// Moves the last value to position `i`, whose value goes.
template <class T>
void replace_by_last(std::vector<T>& values, std::size_t i) {
  values[i] = values.back();
  values.pop_back();
}

}  // namespace

void SecondarySides::add(std::size_t node_class, std::size_t variant, const ComponentValues& x,
                         const ComponentValues& y) {
  if (node_class >= first_of_class_.size()) first_of_class_.resize(node_class + 1, kNone);
  next_of_class_.push_back(first_of_class_[node_class]);
  first_of_class_[node_class] = size();
  node_class_.push_back(node_class);
  variant_.push_back(variant);
  for (std::size_t i = 0; i < kSecondaryDeviations.size(); ++i) {
    const Component k = kSecondaryDeviations[i];
    delta_[i].push_back(y[k] - x[k]);
    square_delta_[i].push_back(y[k] * y[k] - x[k] * x[k]);
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    largest_value_[k] = std::max(largest_value_[k], std::max(std::abs(x[k]), std::abs(y[k])));
    largest_delta_[k] = std::max(largest_delta_[k], std::abs(y[k] - x[k]));
    if (is_sum(k)) sum += kComponents[k].weight * (y[k] - x[k]);
  }
  sums_.push_back(sum);
}

void SecondarySides::remove(std::size_t node_class) {
  if (node_class >= first_of_class_.size()) return;
  while (first_of_class_[node_class] != kNone) remove_first(node_class);
}

void SecondarySides::remove_first(std::size_t node_class) {
  const std::size_t side = first_of_class_[node_class];
  first_of_class_[node_class] = next_of_class_[side];
  const std::size_t last = size() - 1;
  if (side != last) {
    std::size_t* link = &first_of_class_[node_class_[last]];
    while (*link != last) link = &next_of_class_[*link];
    *link = side;
  }
  for (auto* values : {&node_class_, &variant_, &next_of_class_}) replace_by_last(*values, side);
  for (auto* columns : {&delta_, &square_delta_}) {
    for (std::vector<double>& values : *columns) replace_by_last(values, side);
  }
  replace_by_last(sums_, side);
}

SecondarySides::Gains SecondarySides::gains(const Statistics& base, std::size_t deviation) const {
  Gains gains{std::vector<double>(size()), 0.0, 0.0};
  const auto count = static_cast<std::ptrdiff_t>(size());
  for_lanes(
      width_, count,
      [gain = gains.by_side.data(), delta = delta_[deviation].data(), square_delta = square_delta_[deviation].data(),
       n = base.online(), sum = base.sums()[kSecondaryDeviations[deviation]]](std::ptrdiff_t i) {
        gain[i] = variance_gain(n, sum, delta[i], square_delta[i]);
      });
  // Several partial results, so that the minimum and the maximum are taken of several sides at once.
  constexpr std::size_t kParts = 8;
  std::array<double, kParts> lowest, highest;
  lowest.fill(gains.by_side.front());
  highest = lowest;
  std::size_t i = 0;
  for (; i + kParts <= size(); i += kParts) {
    for (std::size_t part = 0; part < kParts; ++part) {
      lowest[part] = std::min(lowest[part], gains.by_side[i + part]);
      highest[part] = std::max(highest[part], gains.by_side[i + part]);
    }
  }
  for (; i < size(); ++i) {
    lowest[0] = std::min(lowest[0], gains.by_side[i]);
    highest[0] = std::max(highest[0], gains.by_side[i]);
  }
  gains.lowest = *std::min_element(lowest.begin(), lowest.end());
  gains.highest = *std::max_element(highest.begin(), highest.end());
  return gains;
}

std::vector<double> SecondarySides::own_changes(const Statistics& base) const {
  std::vector<double> own(size());
  const double variance = base.variances()[Component::ReservedMemory];
  for_lanes(
      width_, static_cast<std::ptrdiff_t>(size()),
      [own = own.data(), sums = sums_.data(), delta = delta_[kReserved].data(),
       square_delta = square_delta_[kReserved].data(), n = base.online(), sum = base.sums()[Component::ReservedMemory],
       variance, before = std::sqrt(variance), w = weight_of(Component::ReservedMemory)](std::ptrdiff_t i) {
        const double changed = updated_variance(variance, n, sum, delta[i], square_delta[i]);
        own[i] = w * (std::sqrt(changed) - before) + sums[i];
      });
  return own;
}

}  // namespace htools
