#include "metric/changed_scores.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace htools {

namespace {

// Some neighbouring components, for arithmetic with all of them at once. They are so few that intermediate results stay
// in registers.
constexpr std::size_t kBlockSize = 2;
using Block = Eigen::Array<double, kBlockSize, 1>;
static_assert(kComponentCount % kBlockSize == 0);
// Returns a view of the block of the values that begins at position `k`.
Eigen::Map<const Block> block(const ComponentValues& values, std::size_t k) {
  return Eigen::Map<const Block>(values.by_position.data() + k);
}

// True if sums of squares of the values are far from the largest floating-point number.
bool all_moderate(const ComponentValues& values) {
  constexpr double kLarge = 1e100;
  return std::all_of(values.by_position.begin(), values.by_position.end(),
                     [](double value) { return std::abs(value) <= kLarge; });
}

// True if the values are the same to the bit.
bool same_bits(const ComponentValues& a, const ComponentValues& b) {
  using Bits = std::array<std::uint64_t, kComponentCount>;
  return std::bit_cast<Bits>(a.by_position) == std::bit_cast<Bits>(b.by_position);
}

}  // namespace

// The components to fold, and by component the place of its fold among them. Components with equal columns and equal
// changes share a fold.
struct ChangedScores::FoldPlan {
  std::vector<std::size_t> components;
  std::array<std::optional<std::size_t>, kComponentCount> fold_of;  // nothing if no change changes the component
};

ChangedScores::ChangedScores(const NodeRefs& nodes) : table_(nodes), columns_(kComponentCount) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    columns_[k].reserve(table_.online().size());
    for (const ComponentValues& row : table_.online()) columns_[k].push_back(row[k]);
  }
  find_twins();
  refresh();
}

void ChangedScores::refresh() {
  statistics_ = Statistics::evaluate(table_);
  base_ = statistics_.values();
  base_is_finite_ = all_finite(base_);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    mean_[k] = statistics_.sums()[k] / statistics_.online();
    squares_[k] = statistics_.variances()[k] * statistics_.online();
    size_[k] = std::abs(mean_[k]) + std::sqrt(squares_[k]);
  }
  base_is_moderate_ = all_moderate(base_) && all_moderate(size_);
}

void ChangedScores::find_twins() {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    twin_[k] = 0;
    while (twin_[k] < k && columns_[twin_[k]] != columns_[k]) ++twin_[k];
  }
}

void ChangedScores::apply(std::span<const Change> changes, double pair_collisions) {
  bool twins_differ = false;
  for (const Change& change : changes) {
    table_.set(change.position, change.values);
    const NodeValueTable::Place place = table_.place(change.position);
    for (std::size_t k = 0; place.online && k < kComponentCount; ++k) {
      columns_[k][place.row] = change.values[k];
      twins_differ |= change.values[k] != change.values[twin_[k]];
    }
  }
  if (twins_differ) find_twins();
  table_.set_pair_collisions(pair_collisions);
  refresh();
}

bool ChangedScores::is_finite(const Candidate& candidate) const {
  if (table_.online().empty()) return true;
  return base_is_finite_ && std::all_of(candidate.changes.begin(), candidate.changes.end(), [&](const Change& change) {
           return !table_.place(change.position).online || all_finite(change.values);
         });
}

bool ChangedScores::is_moderate(const Candidate& candidate) const {
  return base_is_moderate_ && std::all_of(candidate.changes.begin(), candidate.changes.end(),
                                          [](const Change& change) { return all_moderate(change.values); });
}

ComponentValues ChangedScores::unfolded_values(const Candidate& candidate) const {
  ComponentValues values = base_;
  values[Component::LocationExclusion] = candidate.pair_collisions;
  for (const Change& change : candidate.changes) {
    if (table_.place(change.position).online) continue;
    const ComponentValues& old_values = table_.values(change.position);
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      if (kComponents[k].nodes == NodeSet::Offline) values[k] += change.values[k] - old_values[k];
    }
  }
  return values;
}

bool ChangedScores::same_change(const Candidate& a, const Candidate& b) const {
  return a.pair_collisions == b.pair_collisions &&
         std::equal(a.changes.begin(), a.changes.end(), b.changes.begin(), b.changes.end(),
                    [&](const Change& x, const Change& y) {
                      return table_.place(x.position).online == table_.place(y.position).online &&
                             same_bits(x.values, y.values) &&
                             same_bits(table_.values(x.position), table_.values(y.position));
                    });
}

ChangedScores::Bounds ChangedScores::bounds(const Candidate& candidate) const {
  if (table_.online().empty()) return {0.0, 0.0};
  const auto n = static_cast<double>(table_.online().size());
  const double one_nth = 1 / n;  // multiplication is faster than division, and bounds may be rounded differently
  // The relative error of a fold of n terms, with a margin.
  const double error = 8 * n * std::numeric_limits<double>::epsilon();
  // The values of an online node before and after the change.
  struct Step {
    const ComponentValues *old_values, *new_values;
  };
  boost::container::static_vector<Step, kMaxChanges> steps;
  for (const Change& change : candidate.changes) {
    if (table_.place(change.position).online) steps.push_back({&table_.values(change.position), &change.values});
  }
  ComponentValues low = unfolded_values(candidate), high = low;
  for (std::size_t k = 0; k < kComponentCount; k += kBlockSize) {
    const Block mean = block(mean_, k);
    Block delta = Block::Zero(), moved = delta, squares = block(squares_, k), terms = squares, size = block(size_, k);
    for (const Step& s : steps) {
      const Block old_values = block(*s.old_values, k), new_values = block(*s.new_values, k);
      const Block step = new_values - old_values;
      const Block distances = (old_values - mean) + (new_values - mean);
      delta += step;
      moved += step.abs();
      size += old_values.abs() + new_values.abs();
      squares += step * distances;
      terms += step.abs() * distances.abs();
    }
    if ((moved == 0).all()) continue;
    squares -= delta * delta * one_nth;
    const Block doubt = error * (terms + moved * (moved + size)) + n * (error * size) * (error * size);
    const Block low_deviation = ((squares - doubt).max(0.0) * one_nth).sqrt();
    const Block high_deviation = ((squares + doubt).max(0.0) * one_nth).sqrt();
    for (std::size_t c = k; c < k + kBlockSize; ++c) {
      const auto i = static_cast<Eigen::Index>(c - k);
      if (kComponents[c].nodes != NodeSet::Online || moved[i] == 0) continue;
      if (kComponents[c].aggregation == Aggregation::Deviation) {
        low[c] = low_deviation[i], high[c] = high_deviation[i];
      } else if (kComponents[c].aggregation == Aggregation::Sum) {
        const double sum = base_[c] + delta[i];
        const double sum_doubt = error * (std::abs(base_[c]) + n * size[i]);
        low[c] = sum - sum_doubt, high[c] = sum + sum_doubt;
      }
    }
  }
  const double low_score = weighted_sum(low), high_score = weighted_sum(high);
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(high_score));
  return {low_score - rounding, high_score + rounding};
}

ChangedScores::FoldPlan ChangedScores::plan_folds(std::span<const FoldChange> changes) const {
  std::vector<const ComponentValues*> values;  // of all changes; neighbours that share them once
  for (const FoldChange& change : changes) {
    if (values.empty() || values.back() != change.values) values.push_back(change.values);
  }
  FoldPlan plan;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes != NodeSet::Online || kComponents[k].aggregation == Aggregation::Pairs) continue;
    const auto same = [&](std::size_t other) {
      return twin_[other] == twin_[k] && kComponents[other].aggregation == kComponents[k].aggregation &&
             kComponents[other].nodes == kComponents[k].nodes &&
             std::all_of(values.begin(), values.end(),
                         [&](const ComponentValues* v) { return (*v)[other] == (*v)[k]; });
    };
    std::size_t first = 0;
    while (first < k && !same(first)) ++first;
    if (first < k) {
      plan.fold_of[k] = plan.fold_of[first];
      continue;
    }
    const auto is_changed = [&](const FoldChange& change) { return (*change.values)[k] != columns_[k][change.row]; };
    if (std::none_of(changes.begin(), changes.end(), is_changed)) continue;
    plan.fold_of[k] = plan.components.size();
    plan.components.push_back(k);
  }
  return plan;
}

template <class Unfolded>
std::vector<double> ChangedScores::exact_scores(std::span<const FoldChange> changes, std::size_t count,
                                                Unfolded unfolded) const {
  const FoldPlan plan = plan_folds(changes);
  const FoldResults results(columns_, plan.components, changes, count);
  std::vector<double> scores(count);  // weighted sums, as weighted_sum() computes them
  const auto add = [&](double weight, auto value) {
    for_lanes(widest_lanes(), static_cast<std::ptrdiff_t>(count),
              [=, score = scores.data()](std::ptrdiff_t c) { score[c] += weight * value(c); });
  };
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double weight = kComponents[k].weight;
    if (const auto fold = plan.fold_of[k]) {
      add(weight, [result = results[*fold]](std::ptrdiff_t c) { return result[c]; });
    } else {
      add(weight, unfolded(k));
    }
  }
  return scores;
}

std::vector<double> ChangedScores::exact(std::span<const Candidate* const> candidates) const {
  if (table_.online().empty()) return std::vector<double>(candidates.size(), 0.0);
  std::vector<ComponentValues> unfolded;
  std::vector<FoldChange> changes;
  unfolded.reserve(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    unfolded.push_back(unfolded_values(*candidates[c]));
    const auto first = static_cast<std::ptrdiff_t>(changes.size());
    for (const Change& change : candidates[c]->changes) {
      const NodeValueTable::Place place = table_.place(change.position);
      if (place.online) changes.push_back({place.row, c, &change.values});
    }
    std::sort(changes.begin() + first, changes.end(),
              [](const FoldChange& a, const FoldChange& b) { return a.row < b.row; });
  }
  return exact_scores(changes, candidates.size(), [&](std::size_t k) {
    return [k, values = unfolded.data()](std::ptrdiff_t c) { return values[c][k]; };
  });
}

std::vector<double> ChangedScores::exact(std::span<const SingleChange> candidates) const {
  std::vector<FoldChange> changes;
  changes.reserve(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    changes.push_back({table_.place(candidates[c].position).row, c, candidates[c].values});
  }
  return exact_scores(changes, candidates.size(),
                      [&](std::size_t k) { return [value = base_[k]](std::ptrdiff_t) { return value; }; });
}

}  // namespace htools
