#include "metric/update_scores.h"

#include <Eigen/Core>
#include <algorithm>

namespace htools {

namespace {

// True if the component sums up values of online nodes. Pairs of tags are not counted node by node, because they come
// with primary instances.
bool counts_by_node(const ComponentFacts& facts) {
  return facts.nodes == NodeSet::Online && facts.aggregation != Aggregation::Pairs;
}

}  // namespace

ValueChange::ValueChange(const ComponentValues& old_values, const ComponentValues& new_values) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    delta[k] = new_values[k] - old_values[k];
    square_delta[k] = new_values[k] * new_values[k] - old_values[k] * old_values[k];
  }
}

UpdateScores::UpdateScores(const std::vector<ValueChange>& changes) : count_(changes.size()) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const auto touches = [k](const ValueChange& c) { return c.delta[k] != 0 || c.square_delta[k] != 0; };
    if (!counts_by_node(kComponents[k]) || std::none_of(changes.begin(), changes.end(), touches)) continue;
    Touched touched{k, std::vector<double>(count_), std::vector<double>(count_)};
    for (std::size_t i = 0; i < count_; ++i) {
      touched.delta[i] = changes[i].delta[k];
      touched.square_delta[i] = changes[i].square_delta[k];
    }
    touched_.push_back(std::move(touched));
  }
}

std::vector<double> UpdateScores::updated_values(const Statistics& base, const Touched& touched) const {
  const std::size_t k = touched.component;
  const double sum = base.sums()[k], variance = base.variances()[k];
  std::vector<double> values(count_);
  if (kComponents[k].aggregation == Aggregation::Deviation) {
    for (std::size_t i = 0; i < count_; ++i) {
      values[i] = updated_variance(variance, base.online(), sum, touched.delta[i], touched.square_delta[i]);
    }
    Eigen::Map<Eigen::ArrayXd> roots(values.data(), static_cast<Eigen::Index>(count_));
    roots = roots.sqrt();
  } else {
    for (std::size_t i = 0; i < count_; ++i) values[i] = sum + touched.delta[i];
  }
  return values;
}

std::vector<double> UpdateScores::scores(const Statistics& base) const {
  std::vector<double> scores(count_, 0.0);
  if (!base.has_components()) return scores;
  const ComponentValues values = base.values();
  auto touched = touched_.begin();
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double weight = kComponents[k].weight;
    if (touched != touched_.end() && touched->component == k) {
      const std::vector<double> updated = updated_values(base, *touched);
      for (std::size_t i = 0; i < count_; ++i) scores[i] += weight * updated[i];
      ++touched;
    } else {
      for (double& score : scores) score += weight * values[k];
    }
  }
  return scores;
}

}  // namespace htools
