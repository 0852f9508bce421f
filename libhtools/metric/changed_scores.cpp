#include "metric/changed_scores.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

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

// A change of a column of values: in one of the folds, the value at `row` becomes `value`.
struct CellChange {
  std::size_t row;
  std::size_t fold;
  double value;
  bool operator==(const CellChange&) const = default;
};

// True if the bits of a, as an integer, are less than those of b. In this order equal values are adjacent, and NaN has
// a place.
bool bits_less(double a, double b) { return std::bit_cast<std::uint64_t>(a) < std::bit_cast<std::uint64_t>(b); }
bool bits_equal(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// The partial results of many folds over the same column, in each of which a few values are changed. Folds with equal
// partial results continue as one branch.
class Branches {
 public:
  explicit Branches(std::size_t folds) : branch_of_(folds, kUnchanged) {}

  // Returns the partial result of a fold; before the first change of the fold it is `unchanged`, that of the unchanged
  // column.
  double value(std::size_t fold, double unchanged) const {
    return branch_of_[fold] == kUnchanged ? unchanged : values_[branch_of_[fold]];
  }
  // Enters folds that have just passed a changed value, as pairs of partial result and fold. If there are few, each is
  // looked up among all branches; if there are many, they are only compared with each other.
  void enter(std::vector<std::pair<double, std::size_t>>& partial_results) {
    if (partial_results.size() <= kFewResults) {
      for (const auto& [value, fold] : partial_results) branch_of_[fold] = find_or_add(value);
      return;
    }
    std::sort(partial_results.begin(), partial_results.end(),
              [](const auto& a, const auto& b) { return bits_less(a.first, b.first); });
    for (std::size_t r = 0; r < partial_results.size(); ++r) {
      if (r == 0 || !bits_equal(partial_results[r - 1].first, partial_results[r].first)) {
        values_.push_back(partial_results[r].first);
      }
      branch_of_[partial_results[r].second] = values_.size() - 1;
    }
  }
  std::vector<double>& values() { return values_; }
  // Joins branches with equal partial results, and drops those that all folds have left.
  void join_equal() {
    std::vector<bool> used(values_.size(), false);
    for (std::size_t branch : branch_of_) {
      if (branch != kUnchanged) used[branch] = true;
    }
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < values_.size(); ++b) {
      if (used[b]) order.push_back(b);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return bits_less(values_[a], values_[b]); });
    std::vector<double> distinct;
    std::vector<std::size_t> new_place(values_.size());
    for (std::size_t b : order) {
      if (distinct.empty() || !bits_equal(distinct.back(), values_[b])) distinct.push_back(values_[b]);
      new_place[b] = distinct.size() - 1;
    }
    if (distinct.size() == values_.size()) return;
    values_ = std::move(distinct);
    for (std::size_t& branch : branch_of_) {
      if (branch != kUnchanged) branch = new_place[branch];
    }
  }

 private:
  static constexpr std::size_t kUnchanged = static_cast<std::size_t>(-1);
  static constexpr std::size_t kFewResults = 4;

  // Returns the branch with the partial result `value`, which is added if there is none.
  std::size_t find_or_add(double value) {
    const auto it = std::find_if(values_.begin(), values_.end(), [&](double v) { return bits_equal(v, value); });
    const auto branch = static_cast<std::size_t>(it - values_.begin());
    if (it == values_.end()) values_.push_back(value);
    return branch;
  }

  // The partial result of each branch.
  std::vector<double> values_;
  // The branch of each fold, or kUnchanged before its first change.
  std::vector<std::size_t> branch_of_;
};

// Returns the result of each fold: it folds the column, with the changes of the fold, from 0.0 with `step`. `changes`
// must be in ascending order of row.
template <class Step>
std::vector<double> fold_changed(const std::vector<double>& column, std::size_t folds,
                                 const std::vector<CellChange>& changes, Step step) {
  constexpr std::size_t kFewBranches = 4;  // looking for equal branches does not pay below this number
  constexpr std::size_t kJoinInterval = 16;
  Branches branches(folds);
  double unchanged = 0.0;
  std::size_t next = 0;
  std::vector<std::pair<double, std::size_t>> changed;
  for (std::size_t row = 0; row < column.size(); ++row) {
    changed.clear();
    for (; next < changes.size() && changes[next].row == row; ++next) {
      const CellChange& change = changes[next];
      changed.emplace_back(step(branches.value(change.fold, unchanged), change.value), change.fold);
    }
    for (double& value : branches.values()) value = step(value, column[row]);
    unchanged = step(unchanged, column[row]);
    branches.enter(changed);
    if (row % kJoinInterval == 0 && branches.values().size() > kFewBranches) branches.join_equal();
  }
  std::vector<double> results(folds);
  for (std::size_t f = 0; f < folds; ++f) results[f] = branches.value(f, unchanged);
  return results;
}

// Returns the sum of the column in each fold.
std::vector<double> changed_sums(const std::vector<double>& column, std::size_t folds,
                                 const std::vector<CellChange>& changes) {
  return fold_changed(column, folds, changes, [](double sum, double x) { return sum + x; });
}

// Returns the population standard deviation of the column in each fold.
std::vector<double> changed_deviations(const std::vector<double>& column, std::size_t folds,
                                       const std::vector<CellChange>& changes) {
  const auto n = static_cast<double>(column.size());
  const std::vector<double> sums = changed_sums(column, folds, changes);
  // Folds with the same sum have the same mean, so they share the second pass.
  std::vector<double> means = sums;
  std::sort(means.begin(), means.end(), bits_less);
  means.erase(std::unique(means.begin(), means.end(), bits_equal), means.end());
  const auto group_of = [&](std::size_t fold) {
    return static_cast<std::size_t>(std::lower_bound(means.begin(), means.end(), sums[fold], bits_less) -
                                    means.begin());
  };
  std::vector<std::vector<CellChange>> group_changes(means.size());
  std::vector<std::size_t> group_size(means.size(), 0), place(folds);
  for (std::size_t f = 0; f < folds; ++f) place[f] = group_size[group_of(f)]++;
  for (const CellChange& change : changes) {
    group_changes[group_of(change.fold)].push_back({change.row, place[change.fold], change.value});
  }
  std::vector<std::vector<double>> squares(means.size());
  for (std::size_t g = 0; g < means.size(); ++g) {
    const double mean = means[g] / n;
    squares[g] = fold_changed(column, group_size[g], group_changes[g], [mean](double sum, double x) {
      const double distance = x - mean;
      return sum + distance * distance;
    });
  }
  std::vector<double> deviations(folds);
  for (std::size_t f = 0; f < folds; ++f) deviations[f] = std::sqrt(squares[group_of(f)][place[f]] / n);
  return deviations;
}

}  // namespace

ChangedScores::ChangedScores(const NodeRefs& nodes) : table_(nodes), columns_(kComponentCount) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    columns_[k].reserve(table_.online().size());
    for (const ComponentValues& row : table_.online()) columns_[k].push_back(row[k]);
  }
  refresh();
}

void ChangedScores::refresh() {
  const Statistics statistics = Statistics::evaluate(table_);
  base_ = statistics.values();
  base_is_finite_ = all_finite(base_);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    mean_[k] = statistics.sums()[k] / statistics.online();
    squares_[k] = statistics.variances()[k] * statistics.online();
    size_[k] = std::abs(mean_[k]) + std::sqrt(squares_[k]);
  }
}

void ChangedScores::apply(const Candidate& candidate) {
  for (const Change& change : candidate.changes) {
    table_.set(change.position, change.values);
    const NodeValueTable::Place place = table_.place(change.position);
    for (std::size_t k = 0; place.online && k < kComponentCount; ++k) columns_[k][place.row] = change.values[k];
  }
  table_.set_pair_collisions(candidate.pair_collisions);
  refresh();
}

bool ChangedScores::is_finite(const Candidate& candidate) const {
  if (table_.online().empty()) return true;
  return base_is_finite_ && std::all_of(candidate.changes.begin(), candidate.changes.end(), [&](const Change& change) {
           return !table_.place(change.position).online || all_finite(change.values);
         });
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
                             x.values == y.values && table_.values(x.position) == table_.values(y.position);
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

std::vector<double> ChangedScores::exact(std::span<const Candidate* const> candidates) const {
  if (table_.online().empty()) return std::vector<double>(candidates.size(), 0.0);
  // A change by row, with the candidate that it belongs to.
  struct RowChange {
    std::size_t row;
    std::size_t candidate;
    const Change* change;
  };
  std::vector<ComponentValues> values;
  std::vector<RowChange> rows;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    values.push_back(unfolded_values(*candidates[c]));
    for (const Change& change : candidates[c]->changes) {
      const NodeValueTable::Place place = table_.place(change.position);
      if (place.online) rows.push_back({place.row, c, &change});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RowChange& a, const RowChange& b) { return a.row < b.row; });
  // A component whose column has been folded, with its changes and results. Components often have equal columns (the
  // loads; the books without forthcoming instances), which are folded only once.
  struct Folded {
    std::size_t component;
    std::vector<CellChange> changes;
    std::vector<double> results;
  };
  std::vector<Folded> done;
  done.reserve(kComponentCount);
  std::vector<std::size_t> fold_of(candidates.size()), changed;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const ComponentFacts& facts = kComponents[k];
    if (facts.nodes != NodeSet::Online || facts.aggregation == Aggregation::Pairs) continue;
    constexpr auto kNoFold = static_cast<std::size_t>(-1);
    std::fill(fold_of.begin(), fold_of.end(), kNoFold);
    changed.clear();
    std::vector<CellChange> changes;
    for (const RowChange& row : rows) {
      const double value = row.change->values[k];
      if (value == columns_[k][row.row]) continue;
      if (fold_of[row.candidate] == kNoFold) {
        fold_of[row.candidate] = changed.size();
        changed.push_back(row.candidate);
      }
      changes.push_back({row.row, fold_of[row.candidate], value});
    }
    if (changes.empty()) continue;
    auto same = std::find_if(done.begin(), done.end(), [&](const Folded& folded) {
      return kComponents[folded.component].aggregation == facts.aggregation && folded.changes == changes &&
             columns_[folded.component] == columns_[k];
    });
    if (same == done.end()) {
      auto results = facts.aggregation == Aggregation::Sum ? changed_sums(columns_[k], changed.size(), changes)
                                                           : changed_deviations(columns_[k], changed.size(), changes);
      same = done.insert(done.end(), {k, std::move(changes), std::move(results)});
    }
    for (std::size_t c = 0; c < changed.size(); ++c) values[changed[c]][k] = same->results[c];
  }
  std::vector<double> scores(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) scores[c] = weighted_sum(values[c]);
  return scores;
}

}  // namespace htools
