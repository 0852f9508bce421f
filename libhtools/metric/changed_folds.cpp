#include "metric/changed_folds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "metric/components.h"
#include "metric/running_sums.h"

namespace htools {

namespace {

// What a fold adds for each value, and what it makes of the sum.
struct SumOfValues {
  double divisor;
  double term(double value) const { return value; }
  double result(double sum) const { return sum / divisor; }
};
struct DeviationFromMean {
  double rows, mean;
  double term(double value) const {
    const double distance = value - mean;
    return distance * distance;
  }
  double result(double sum) const { return std::sqrt(sum / rows); }
};

// One fold of a column, for some variants in ascending order.
template <class Kind>
struct Fold {
  const std::vector<double>& column;
  const double* changed_values;  // in the order of Folder::place_of_value()
  Kind kind;
  std::span<const std::size_t> variants;
  double* results;  // by variant
};

// The partial results of a fold, from row `begin` on (see metric/running_sums.h).
struct Path {
  double* sums;
  std::size_t begin;

  // True if the path has this sum after the row. Zeros of either sign count as equal: no sum that starts at 0 is -0,
  // and the sign of a zero mean changes no squared distance.
  bool leads_through(std::size_t row, double sum) const { return begin <= row + 1 && sums[row + 1] == sum; }
};

// Carries out folds of columns of the same length with the same changes.
class Folder {
 public:
  Folder(std::size_t rows, std::span<const FoldChange> changes, std::size_t variants, LaneWidth width)
      : rows_(rows), changes_(changes), first_change_(variants + 1), width_(width) {
    for (const FoldChange& change : changes) ++first_change_[change.variant + 1];
    std::partial_sum(first_change_.begin(), first_change_.end(), first_change_.begin());
    one_each_ = changes.size() == variants &&
                std::adjacent_find(changes.begin(), changes.end(), [](const FoldChange& a, const FoldChange& b) {
                  return a.variant == b.variant || a.row >= b.row;
                }) == changes.end();
    sums_and_terms_ = std::make_unique_for_overwrite<double[]>(kTogether * (2 * rows + 1));
    changed_terms_ = std::make_unique_for_overwrite<double[]>(value_places());
    paths_.reserve(kMostPaths);
  }

  // The place of the changed value of a change, and the number of places. They are ordered by row if each variant has
  // one change, and the rows ascend; else they are ordered as the changes.
  std::size_t place_of_value(std::size_t change) const { return one_each_ ? changes_[change].row : change; }
  std::size_t value_places() const { return one_each_ ? rows_ : changes_.size(); }

  template <class Kind>
  void run(std::span<const Fold<Kind>> folds) {
    while (!folds.empty()) {
      const std::size_t together = std::min(kTogether, folds.size());
      run_together(folds.first(together));
      folds = folds.subspan(together);
    }
  }

 private:
  // Folds are carried out five at a time, because each addition waits for the one before. A new instance without a
  // mirror changes five components.
  static constexpr std::size_t kTogether = 5;
  // The most paths that are kept for other variants. More would be needed only if variants had hardly any equal sums.
  static constexpr std::size_t kMostPaths = 32;

  template <class Kind>
  void run_together(std::span<const Fold<Kind>> folds) {
    std::array<double*, kTogether> terms, sums;
    for (std::size_t i = 0; i < kTogether; ++i) {
      const std::size_t fold = i < folds.size() ? i : 0;
      sums[i] = sums_and_terms_.get() + fold * (2 * rows_ + 1);
      terms[i] = sums[i] + rows_ + 1;
      sums[i][0] = 0.0;
      if (fold == i) {
        std::transform(folds[i].column.begin(), folds[i].column.end(), terms[i],
                       [kind = folds[i].kind](double value) { return kind.term(value); });
      }
    }
    std::array<double, kTogether> sum{};
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t i = 0; i < kTogether; ++i) sums[i][row + 1] = sum[i] += terms[i][row];
    }
    for (std::size_t i = 0; i < folds.size(); ++i) {
      paths_.clear();
      next_ = 0;
      std::transform(folds[i].changed_values, folds[i].changed_values + value_places(), changed_terms_.get(),
                     [kind = folds[i].kind](double value) { return kind.term(value); });
      one_each_ ? follow_by_row(folds[i], terms[i], {sums[i], 0}) : follow_by_variant(folds[i], terms[i], {sums[i], 0});
    }
  }

  // Sets the results of the variants, given the terms of the unchanged rows and their path. With one change for each
  // variant, and ascending rows, variants that take the same path are found several rows at a time.
  template <class Kind>
  void follow_by_row(const Fold<Kind>& fold, const double* terms, const Path& unchanged) {
    choose_rows(fold.variants);
    Path recent = unchanged;
    auto variant = fold.variants.begin();
    for (std::size_t row = 0;; ++row) {
      const double result = fold.kind.result(recent.sums[rows_]);
      row = first_difference(unchanged.sums, changed_terms_.get(), recent.sums, not_chosen_.data(), row, rows_, width_);
      const auto last =
          std::partition_point(variant, fold.variants.end(), [&](std::size_t v) { return changes_[v].row < row; });
      set_results(fold, variant, last, result);
      variant = last;
      if (row == rows_) return;
      recent = path_through(row, unchanged.sums[row] + changed_terms_[row], terms, unchanged, recent);
      fold.results[*variant++] = fold.kind.result(recent.sums[rows_]);
    }
  }

  // Gives the variants from `first` on, before `last`, this result.
  template <class Kind, class Iterator>
  static void set_results(const Fold<Kind>& fold, Iterator first, Iterator last, double result) {
    if (first == last) return;
    const auto count = static_cast<std::size_t>(last - first);
    if (*std::prev(last) - *first == count - 1) {  // neighbours, which are set several at a time
      std::fill_n(fold.results + *first, count, result);
    } else {
      for (; first != last; ++first) fold.results[*first] = result;
    }
  }

  template <class Kind>
  void follow_by_variant(const Fold<Kind>& fold, const double* terms, const Path& unchanged) {
    Path recent = unchanged;
    double sum = unchanged.sums[rows_], result = fold.kind.result(sum);
    for (std::size_t variant : fold.variants) {
      const double* sums = unchanged.sums;
      for (std::size_t c = first_change_[variant]; c < first_change_[variant + 1]; ++c) {
        const std::size_t row = changes_[c].row;
        const double after = sums[row] + changed_terms_[c];
        if (!recent.leads_through(row, after)) recent = path_through(row, after, terms, unchanged, recent);
        sums = recent.sums;
      }
      if (sums[rows_] != sum) sum = sums[rows_], result = fold.kind.result(sum);
      fold.results[variant] = result;
    }
  }

  // Sets not_chosen_ to 0 in the rows that the variants change, and to -1 in all others.
  void choose_rows(std::span<const std::size_t> variants) {
    const bool all = variants.size() == changes_.size();
    if (all && all_chosen_) return;
    not_chosen_.assign(rows_, -1);
    for (std::size_t variant : variants) not_chosen_[changes_[variant].row] = 0;
    all_chosen_ = all;
  }

  // Returns a path that has this sum after the row. `recent` is the path of a variant, which is probably near.
  Path path_through(std::size_t row, double sum, const double* terms, const Path& unchanged, const Path& recent) {
    if (unchanged.leads_through(row, sum)) return unchanged;
    for (const Path& path : paths_) {
      if (path.leads_through(row, sum)) return path;
    }
    if (paths_.size() < kMostPaths) paths_.push_back({stored_sums(paths_.size()), 0});
    Path& path = paths_[next_++ % kMostPaths];
    const bool beside_recent = recent.begin <= row + 1 && recent.sums != path.sums;
    path.begin = row + 1;
    path.sums[row + 1] = sum;
    continue_sum(path.sums, beside_recent ? recent.sums : unchanged.sums, terms, row + 1, rows_, width_);
    return path;
  }

  // Returns the memory for the sums of a path.
  double* stored_sums(std::size_t path) {
    constexpr std::size_t kChunk = 8;
    const std::size_t chunk = path / kChunk;
    if (chunk == stored_.size()) stored_.push_back(std::make_unique_for_overwrite<double[]>(kChunk * (rows_ + 1)));
    return stored_[chunk].get() + path % kChunk * (rows_ + 1);
  }

  std::size_t rows_;
  std::span<const FoldChange> changes_;
  std::vector<std::size_t> first_change_;  // by variant
  LaneWidth width_;
  bool one_each_;                             // true if each variant has one change, and the rows ascend
  std::unique_ptr<double[]> sums_and_terms_;  // of the unchanged rows, of the folds that are carried out together
  std::unique_ptr<double[]> changed_terms_;   // of one fold, in the order of place_of_value()
  std::vector<std::int64_t> not_chosen_;      // by row; see choose_rows()
  bool all_chosen_ = false;                   // true if not_chosen_ is that of all variants
  std::vector<Path> paths_;                   // paths of variants of one fold, and how many there have been
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<double[]>> stored_;  // see stored_sums()
};

bool is_deviation(std::size_t k) { return kComponents[k].aggregation == Aggregation::Deviation; }

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// Returns the variants in the order of `values`, as far as equal ones are neighbours.
std::vector<std::size_t> sorted_variants(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::any_of(values.begin(), values.end(), [&](double v) { return bits(v) != bits(values.front()); })) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return bits(values[a]) < bits(values[b]); });
  }
  return order;
}

}  // namespace

FoldResults::FoldResults(std::span<const std::vector<double>> columns, std::span<const std::size_t> components,
                         std::span<const FoldChange> changes, std::size_t variants, LaneWidth width)
    : variants_(variants), by_variant_(components.size() * variants) {
  if (by_variant_.empty()) return;
  const std::size_t rows = columns[components.front()].size();
  const auto row_count = static_cast<double>(rows);
  Folder folder(rows, changes, variants, width);
  std::vector<std::size_t> all(variants);
  std::iota(all.begin(), all.end(), std::size_t{0});

  std::vector<double> changed_values(components.size() * folder.value_places());
  std::vector<Fold<SumOfValues>> sums;
  sums.reserve(components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    const std::size_t k = components[i];
    double* values = changed_values.data() + i * folder.value_places();
    for (std::size_t c = 0; c < changes.size(); ++c) values[folder.place_of_value(c)] = (*changes[c].values)[k];
    sums.push_back({columns[k], values, {is_deviation(k) ? row_count : 1.0}, all, results(i)});
  }
  folder.run(std::span<const Fold<SumOfValues>>(sums));

  // Variants with equal means are folded together.
  std::vector<std::vector<std::size_t>> order;
  order.reserve(components.size());
  std::vector<Fold<DeviationFromMean>> deviations;
  deviations.reserve(components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (!is_deviation(components[i])) continue;
    double* means = results(i);
    order.push_back(sorted_variants({means, variants}));
    for (auto first = order.back().begin(), end = order.back().end(); first != end;) {
      const double mean = means[*first];
      const auto last = std::find_if(first, end, [&](std::size_t v) { return bits(means[v]) != bits(mean); });
      deviations.push_back({sums[i].column, sums[i].changed_values, {row_count, mean}, {first, last}, means});
      first = last;
    }
  }
  folder.run(std::span<const Fold<DeviationFromMean>>(deviations));
}

}  // namespace htools
