// Folds columns of values in many variants at once: sums and standard deviations of which a few values are changed.
//
// A fold adds from the first row to the last, so its result depends on the order to the last bit, and no variant can be
// computed from another one. But variants that differ in a few rows soon reach equal partial results, and from there on
// share one path to the last row. Of 400 variants with one change each, five to ten have a path of their own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "htools/score.h"
#include "metric/lanes.h"

namespace htools {

// A change of one row: in one of the variants the row has these values of all components.
struct FoldChange {
  std::size_t row;
  std::size_t variant;
  const ComponentValues* values;
};

// The results of folding the columns of some components, in variants.
class FoldResults {
 public:
  // Folds from the first row to the last. `columns[k]` is that of component k; all have the same length. `changes` are
  // in ascending order of variant and, of each variant, of row. The results are sums, or population standard deviations
  // if the component is a deviation. They have the bits that plain loops have (the sum, and the sum of the squared
  // distances from the mean).
  FoldResults(std::span<const std::vector<double>> columns, std::span<const std::size_t> components,
              std::span<const FoldChange> changes, std::size_t variants, LaneWidth width = widest_lanes());

  // Returns the results of the component at position `i` of `components`, by variant.
  const double* operator[](std::size_t i) const { return by_variant_.data() + i * variants_; }

 private:
  double* results(std::size_t i) { return by_variant_.data() + i * variants_; }

  std::size_t variants_;
  std::vector<double> by_variant_;
};

}  // namespace htools
