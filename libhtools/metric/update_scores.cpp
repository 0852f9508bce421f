#include "metric/update_scores.h"

#include <algorithm>

namespace htools {

namespace {

constexpr Eigen::Index eigen(std::size_t k) { return static_cast<Eigen::Index>(k); }

// Pairs of tags come with primaries; they are not counted node by node.
bool counts_by_node(const ComponentFacts& facts) {
  return facts.nodes == NodeSet::Online && facts.aggregation != Aggregation::Pairs;
}

}  // namespace

UpdateScores::UpdateScores(const std::vector<ValueChange>& changes) : count_(eigen(changes.size())) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const auto touches = [k = eigen(k)](const ValueChange& c) { return c.delta[k] != 0 || c.square_delta[k] != 0; };
    if (!counts_by_node(kComponents[k]) || std::none_of(changes.begin(), changes.end(), touches)) continue;
    Touched touched{k, Eigen::ArrayXd(count_), Eigen::ArrayXd(count_)};
    for (std::size_t i = 0; i < changes.size(); ++i) {
      touched.delta[eigen(i)] = changes[i].delta[eigen(k)];
      touched.square_delta[eigen(i)] = changes[i].square_delta[eigen(k)];
    }
    touched_.push_back(std::move(touched));
  }
}

Eigen::ArrayXd UpdateScores::updated_values(const Statistics& base, const Touched& touched) const {
  const Eigen::Index k = eigen(touched.component);
  const double sum = base.sums()[k];
  if (kComponents[touched.component].aggregation != Aggregation::Deviation) return sum + touched.delta;
  const double variance = base.variances()[k];
  Eigen::ArrayXd variances(count_);
  for (Eigen::Index i = 0; i < count_; ++i) {
    variances[i] = updated_variance(variance, base.online(), sum, touched.delta[i], touched.square_delta[i]);
  }
  return variances.sqrt();
}

std::vector<double> UpdateScores::scores(const Statistics& base) const {
  std::vector<double> result(static_cast<std::size_t>(count_), 0.0);
  if (!base.has_components()) return result;
  const ComponentValues values = base.values();
  Eigen::Map<Eigen::ArrayXd> scores(result.data(), count_);
  auto touched = touched_.begin();
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double weight = kComponents[k].weight;
    if (touched != touched_.end() && touched->component == k) {
      scores += weight * updated_values(base, *touched);
      ++touched;
    } else {
      scores += weight * values[eigen(k)];
    }
  }
  return result;
}

}  // namespace htools
