// Folds columns of values in many variants at once: sums and standard deviations of which a few values are changed.
//
// A fold adds from the first row to the last, so its result depends on the order to the last bit, and no variant can be
// computed from another one. But two variants that differ in a few rows soon reach equal partial results again, and
// then continue as one chain. Several columns are folded side by side, each in a lane of its own.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "htools/score.h"

namespace htools {

// The number of columns that are folded together.
inline constexpr std::size_t kFoldLanes = 8;

// One value for each lane. (An extension that GCC and Clang share: arithmetic with all lanes at once.)
using FoldLanes [[gnu::vector_size(kFoldLanes * sizeof(double))]] = double;

// A change of one row: in one of the variants the row has these values of all components.
struct FoldChange {
  std::size_t row;
  std::size_t variant;
  const ComponentValues* values;
};

// The columns to fold: the component of each lane. Lanes that are not needed repeat another one.
using FoldedComponents = std::array<std::size_t, kFoldLanes>;

// The results of one variant, by lane.
struct FoldResults {
  FoldLanes sum;
  FoldLanes deviation;  // the population standard deviation
};

// Folds columns of equal length, `columns[k]` of component k, from the first row to the last. `changes` are in
// ascending order of row; `variants` is the number of variants. Returns the results by variant, to the last bit those
// that two plain loops have (the sum, and the sum of the squared distances from the mean).
std::vector<FoldResults> fold_variants(std::span<const std::vector<double>> columns, const FoldedComponents& lanes,
                                       std::span<const FoldChange> changes, std::size_t variants);

}  // namespace htools
