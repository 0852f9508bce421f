#include "metric/replacement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace htools {

namespace {

constexpr Eigen::Index eigen(std::size_t k) { return static_cast<Eigen::Index>(k); }

// One change of a column of values: the value at `row` becomes `value`.
struct Change {
  std::size_t row;
  double value;
  bool operator==(const Change&) const = default;
};

// The partial results of many folds over the same column, each with one value changed. Folds with equal partial results
// continue as one branch.
class Branches {
 public:
  explicit Branches(std::size_t folds) : branch_of_(folds) {}

  // The fold with this number has just passed its changed value.
  void enter(std::size_t fold, double value) {
    const auto it = std::find(values_.begin(), values_.end(), value);
    branch_of_[fold] = static_cast<std::size_t>(it - values_.begin());
    if (it == values_.end()) values_.push_back(value);
    entered_ = fold + 1;
  }
  std::vector<double>& values() { return values_; }
  void join_equal() {
    std::vector<double> distinct;
    std::vector<std::size_t> new_place(values_.size());
    for (std::size_t b = 0; b < values_.size(); ++b) {
      const auto it = std::find(distinct.begin(), distinct.end(), values_[b]);
      new_place[b] = static_cast<std::size_t>(it - distinct.begin());
      if (it == distinct.end()) distinct.push_back(values_[b]);
    }
    if (distinct.size() == values_.size()) return;
    values_ = std::move(distinct);
    for (std::size_t f = 0; f < entered_; ++f) branch_of_[f] = new_place[branch_of_[f]];
  }
  std::vector<double> results() const {
    std::vector<double> all(branch_of_.size());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = values_[branch_of_[f]];
    return all;
  }

 private:
  std::vector<double> values_;
  std::vector<std::size_t> branch_of_;
  std::size_t entered_ = 0;
};

// Results of folding the column from 0.0 with `step`, once per change (ascending rows).
template <class Step>
std::vector<double> fold_changed(const std::vector<double>& column, const std::vector<Change>& changes, Step step) {
  constexpr std::size_t kFewBranches = 4;  // fewer are not worth looking for equal ones
  constexpr std::size_t kJoinInterval = 16;
  Branches branches(changes.size());
  double unchanged = 0.0;
  std::size_t next = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    for (double& value : branches.values()) value = step(value, column[row]);
    for (; next < changes.size() && changes[next].row == row; ++next) {
      branches.enter(next, step(unchanged, changes[next].value));
    }
    unchanged = step(unchanged, column[row]);
    if (row % kJoinInterval == 0 && branches.values().size() > kFewBranches) branches.join_equal();
  }
  return branches.results();
}

std::vector<double> changed_sums(const std::vector<double>& column, const std::vector<Change>& changes) {
  return fold_changed(column, changes, [](double sum, double x) { return sum + x; });
}

std::vector<double> changed_deviations(const std::vector<double>& column, const std::vector<Change>& changes) {
  const auto n = static_cast<double>(column.size());
  const std::vector<double> sums = changed_sums(column, changes);
  std::vector<double> deviations(changes.size());
  std::vector<bool> done(changes.size(), false);
  for (std::size_t first = 0; first < changes.size(); ++first) {
    if (done[first]) continue;
    // All changes with the same sum share the mean, and with it the second pass.
    std::vector<Change> same;
    std::vector<std::size_t> places;
    for (std::size_t c = first; c < changes.size(); ++c) {
      if (done[c] || (c != first && sums[c] != sums[first])) continue;  // NaN equals nothing, itself included
      done[c] = true;
      same.push_back(changes[c]);
      places.push_back(c);
    }
    const double mean = sums[first] / n;
    const std::vector<double> squares = fold_changed(column, same, [mean](double sum, double x) {
      const double distance = x - mean;
      return sum + distance * distance;
    });
    for (std::size_t c = 0; c < same.size(); ++c) deviations[places[c]] = std::sqrt(squares[c] / n);
  }
  return deviations;
}

}  // namespace

ReplacementScores::ReplacementScores(const NodeRefs& nodes) : table_(nodes), columns_(kComponentCount) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    columns_[k].reserve(table_.online().size());
    for (const ComponentValues& row : table_.online()) columns_[k].push_back(row[eigen(k)]);
  }
  refresh();
}

void ReplacementScores::refresh() {
  const Statistics statistics = Statistics::evaluate(table_);
  base_ = statistics.values();
  mean_ = statistics.sums() / statistics.online();
  squares_ = statistics.variances() * statistics.online();
}

void ReplacementScores::replace(const Candidate& candidate) {
  table_.set(candidate.position, candidate.values);
  const NodeValueTable::Place place = table_.place(candidate.position);
  for (std::size_t k = 0; place.online && k < kComponentCount; ++k) columns_[k][place.row] = candidate.values[eigen(k)];
  table_.set_pair_collisions(candidate.pair_collisions);
  refresh();
}

bool ReplacementScores::is_finite(const Candidate& candidate) const {
  if (table_.online().empty()) return true;
  return base_.allFinite() && (!table_.place(candidate.position).online || candidate.values.allFinite());
}

ComponentValues ReplacementScores::unfolded_values(const Candidate& candidate) const {
  ComponentValues values = base_;
  values[eigen(position(Component::LocationExclusion))] = candidate.pair_collisions;
  if (!table_.place(candidate.position).online) {
    const ComponentValues& old_values = table_.values(candidate.position);
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      if (kComponents[k].nodes == NodeSet::Offline)
        values[eigen(k)] += candidate.values[eigen(k)] - old_values[eigen(k)];
    }
  }
  return values;
}

bool ReplacementScores::same_change(const Candidate& a, const Candidate& b) const {
  return table_.place(a.position).online == table_.place(b.position).online && a.pair_collisions == b.pair_collisions &&
         (a.values == b.values).all() && (table_.values(a.position) == table_.values(b.position)).all();
}

ReplacementScores::Bounds ReplacementScores::bounds(const Candidate& candidate) const {
  if (table_.online().empty()) return {0.0, 0.0};
  ComponentValues low = unfolded_values(candidate), high = low;
  if (table_.place(candidate.position).online) {
    const auto n = static_cast<double>(table_.online().size());
    // Relative error of a fold of n terms, with a margin.
    const double error = 8 * n * std::numeric_limits<double>::epsilon();
    const ComponentValues& old_values = table_.values(candidate.position);
    const ComponentValues delta = candidate.values - old_values;
    const ComponentValues distances = (old_values - mean_) + (candidate.values - mean_);
    const ComponentValues squares = squares_ + delta * distances - delta * delta / n;
    const ComponentValues size = mean_.abs() + old_values.abs() + candidate.values.abs() + squares_.sqrt();
    const ComponentValues doubt =
        error * (squares_ + delta.abs() * (distances.abs() + delta.abs() + size)) + n * (error * size) * (error * size);
    const ComponentValues low_deviation = ((squares - doubt).max(0.0) / n).sqrt();
    const ComponentValues high_deviation = ((squares + doubt).max(0.0) / n).sqrt();
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      const auto i = eigen(k);
      if (kComponents[k].nodes != NodeSet::Online || delta[i] == 0) continue;
      if (kComponents[k].aggregation == Aggregation::Deviation) {
        low[i] = low_deviation[i], high[i] = high_deviation[i];
      } else if (kComponents[k].aggregation == Aggregation::Sum) {
        const double sum = base_[i] + delta[i];
        const double sum_doubt = error * (std::abs(base_[i]) + n * size[i]);
        low[i] = sum - sum_doubt, high[i] = sum + sum_doubt;
      }
    }
  }
  const double low_score = weighted_sum(low), high_score = weighted_sum(high);
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(high_score));
  return {low_score - rounding, high_score + rounding};
}

std::vector<double> ReplacementScores::exact(std::span<const Candidate* const> candidates) const {
  if (table_.online().empty()) return std::vector<double>(candidates.size(), 0.0);
  std::vector<ComponentValues> values;
  std::vector<std::size_t> online;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    values.push_back(unfolded_values(*candidates[c]));
    if (table_.place(candidates[c]->position).online) online.push_back(c);
  }
  // Components often have equal columns (loads; books without forthcoming instances): each is folded once.
  struct Folded {
    std::size_t component;
    std::vector<Change> changes;
    std::vector<double> results;
  };
  std::vector<Folded> done;
  done.reserve(kComponentCount);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const ComponentFacts& facts = kComponents[k];
    if (facts.nodes != NodeSet::Online || facts.aggregation == Aggregation::Pairs) continue;
    std::vector<Change> changes;
    std::vector<std::size_t> changed;
    for (std::size_t c : online) {
      const double value = candidates[c]->values[eigen(k)];
      if (value == table_.values(candidates[c]->position)[eigen(k)]) continue;
      changes.push_back({table_.place(candidates[c]->position).row, value});
      changed.push_back(c);
    }
    if (changes.empty()) continue;
    auto same = std::find_if(done.begin(), done.end(), [&](const Folded& folded) {
      return kComponents[folded.component].aggregation == facts.aggregation && folded.changes == changes &&
             columns_[folded.component] == columns_[k];
    });
    if (same == done.end()) {
      auto results = facts.aggregation == Aggregation::Sum ? changed_sums(columns_[k], changes)
                                                           : changed_deviations(columns_[k], changes);
      same = done.insert(done.end(), {k, std::move(changes), std::move(results)});
    }
    for (std::size_t c = 0; c < changed.size(); ++c) values[changed[c]][eigen(k)] = same->results[c];
  }
  std::vector<double> scores(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) scores[c] = weighted_sum(values[c]);
  return scores;
}

}  // namespace htools
