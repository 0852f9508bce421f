#include "metric/update_scores.h"

#include <cmath>

namespace htools {

namespace {

constexpr Eigen::Index eigen(std::size_t k) { return static_cast<Eigen::Index>(k); }

}  // namespace

std::vector<std::size_t> touched_components(const std::vector<ValueChange>& changes) {
  std::vector<std::size_t> touched;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes != NodeSet::Online) continue;
    for (const ValueChange& change : changes) {
      if (change.delta[eigen(k)] == 0 && change.square_delta[eigen(k)] == 0) continue;
      touched.push_back(k);
      break;
    }
  }
  return touched;
}

UpdateScores::UpdateScores(const Statistics& base, const std::vector<std::size_t>& touched)
    : base_(base), touched_(touched) {
  const ComponentValues values = base.values();
  for (std::size_t k = 0; k < kComponentCount; ++k) terms_[k] = kComponents[k].weight * values[eigen(k)];
}

double UpdateScores::score(const ValueChange& change) const {
  if (!base_.has_components()) return 0.0;
  std::array<double, kComponentCount> terms = terms_;
  for (const std::size_t k : touched_) {
    const double delta = change.delta[eigen(k)];
    const double sum = base_.sums()[eigen(k)];
    double value = sum + delta;
    if (kComponents[k].aggregation == Aggregation::Deviation) {
      value = std::sqrt(
          updated_variance(base_.variances()[eigen(k)], base_.online(), sum, delta, change.square_delta[eigen(k)]));
    } else if (kComponents[k].aggregation == Aggregation::Pairs) {
      continue;  // pairs of tags come with primaries
    }
    terms[k] = kComponents[k].weight * value;
  }
  double score = 0.0;
  for (const double term : terms) score = score + term;
  return score;
}

}  // namespace htools
