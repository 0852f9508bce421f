#include "metric/changed_folds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace {

using htools::ComponentValues;
using htools::fold_variants;
using htools::FoldChange;
using htools::FoldedComponents;
using htools::FoldResults;
using htools::kComponentCount;
using htools::kFoldLanes;
using htools::testing::Random;
using htools::testing::scaled;

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

double sum_of(const std::vector<double>& column) {
  double sum = 0.0;
  for (double x : column) sum = sum + x;
  return sum;
}

double deviation_of(const std::vector<double>& column) {
  const auto n = static_cast<double>(column.size());
  const double mean = sum_of(column) / n;
  double squares = 0.0;
  for (double x : column) squares = squares + (x - mean) * (x - mean);
  return std::sqrt(squares / n);
}

// A value from few different ones, so that many folds have equal partial results, or a rare one.
double random_value(Random& random) {
  if (random.chance(1)) return std::numeric_limits<double>::infinity();
  return random.chance(80) ? static_cast<double>(random.between(0, 5)) / 7 : random.fraction();
}

}  // namespace

TEST_CASE("variants of columns, folded together, give the bits of plain loops") {
  Random random(11);
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    const std::size_t rows = 1 + random.index(120), variants = random.index(60);
    std::vector<std::vector<double>> columns(kComponentCount, std::vector<double>(rows));
    for (auto& column : columns) {
      const double common = random_value(random);
      const bool alike = random.chance(50);
      for (double& x : column) x = alike ? common : random_value(random);
    }
    FoldedComponents lanes{};
    for (std::size_t& k : lanes) k = random.index(kComponentCount);

    std::vector<ComponentValues> values;
    std::vector<FoldChange> changes;
    values.reserve(3 * variants);
    for (std::size_t v = 0; v < variants; ++v) {
      std::size_t row = random.index(rows);
      for (int changed = 0; changed < 3 && row < rows; ++changed, row += 1 + random.index(rows)) {
        ComponentValues& own = values.emplace_back();
        for (std::size_t k = 0; k < kComponentCount; ++k) {
          own[k] = random.chance(40) ? columns[k][row] : random_value(random);
        }
        changes.push_back({row, v, &own});
      }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.row < b.row; });

    const std::vector<FoldResults> results = fold_variants(columns, lanes, changes, variants);
    REQUIRE(results.size() == variants);
    for (std::size_t v = 0; v < variants; ++v) {
      for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
        std::vector<double> column = columns[lanes[lane]];
        for (const FoldChange& change : changes) {
          if (change.variant == v) column[change.row] = (*change.values)[lanes[lane]];
        }
        const double sum = sum_of(column), deviation = deviation_of(column);
        REQUIRE((std::isnan(sum) || bits(results[v].sum[lane]) == bits(sum)));
        REQUIRE((std::isnan(deviation) ? std::isnan(results[v].deviation[lane])
                                       : bits(results[v].deviation[lane]) == bits(deviation)));
      }
    }
  }
}
