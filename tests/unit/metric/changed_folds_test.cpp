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

namespace htools::changed_folds_test {

namespace {

using htools::ComponentValues;
using htools::FoldChange;
using htools::FoldResults;
using htools::kComponentCount;
using htools::LaneWidth;
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

// A few columns and variants of them.
struct Variants {
  std::vector<std::vector<double>> columns;
  std::vector<std::size_t> components;
  std::vector<ComponentValues> values;  // of all changes
  std::vector<FoldChange> changes;
  std::size_t count = 0;

  Variants(Random& random, std::size_t rows) : columns(kComponentCount, std::vector<double>(rows)) {
    for (auto& column : columns) {
      const double common = random_value(random);
      const bool alike = random.chance(50);
      for (double& x : column) x = alike ? common : random_value(random);
    }
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      if (random.chance(40)) components.push_back(k);
    }
  }
  void add_change(std::size_t row, const ComponentValues& changed) {
    values.push_back(changed);
    changes.push_back({row, count, nullptr});
  }
  ComponentValues some_values(Random& random, std::size_t row) const {
    ComponentValues some;
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      some[k] = random.chance(40) ? columns[k][row] : random_value(random);
    }
    return some;
  }

  // Compares the results with plain loops. On a processor without AVX2 this compares the common width twice.
  void check() {
    for (std::size_t c = 0; c < changes.size(); ++c) changes[c].values = &values[c];
    for (LaneWidth width : {LaneWidth::Common, htools::widest_lanes()}) {
      const FoldResults results(columns, components, changes, count, width);
      for (std::size_t v = 0; v < count; ++v) {
        for (std::size_t i = 0; i < components.size(); ++i) {
          std::vector<double> column = columns[components[i]];
          for (const FoldChange& change : changes) {
            if (change.variant == v) column[change.row] = (*change.values)[components[i]];
          }
          const bool is_sum = htools::kComponents[components[i]].aggregation != htools::Aggregation::Deviation;
          const double expected = is_sum ? sum_of(column) : deviation_of(column);
          CAPTURE(v);
          CAPTURE(i);
          REQUIRE((std::isnan(expected) ? std::isnan(results[i][v]) : bits(results[i][v]) == bits(expected)));
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("variants of columns, folded together, give the bits of plain loops") {
  Random random(11);
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    const std::size_t rows = 1 + random.index(120), count = random.index(60);
    Variants variants(random, rows);
    for (; variants.count < count; ++variants.count) {
      std::size_t row = random.index(rows);
      for (int changed = 0; changed < 3 && row < rows; ++changed, row += 1 + random.index(rows)) {
        variants.add_change(row, variants.some_values(random, row));
      }
    }
    variants.check();
  }
}

TEST_CASE("variants with one change each, in ascending order of row, give the bits of plain loops") {
  Random random(12);
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    const std::size_t rows = 1 + random.index(200);
    Variants variants(random, rows);
    const ComponentValues common = variants.some_values(random, 0);
    const std::int64_t often = random.between(10, 100), alike = random.one_of(std::vector<std::int64_t>{0, 90, 100});
    for (std::size_t row = 0; row < rows; ++row) {
      if (!random.chance(often)) continue;
      variants.add_change(row, random.chance(alike) ? common : variants.some_values(random, row));
      ++variants.count;
    }
    variants.check();
  }
}

// A cluster of equal nodes that fills up: all columns have two values, and the lower ones change to the higher ones.
TEST_CASE("changes of equal rows to values that others have give the bits of plain loops") {
  Random random(13);
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const std::size_t rows = 1 + random.index(500);
    Variants variants(random, rows);
    ComponentValues low, high;
    for (std::size_t k = 0; k < kComponentCount; ++k) low[k] = random.fraction(), high[k] = low[k] + random.fraction();
    const std::int64_t share = random.between(0, 100);
    for (std::size_t row = 0; row < rows; ++row) {
      const bool is_high = random.chance(share);
      for (std::size_t k = 0; k < kComponentCount; ++k) variants.columns[k][row] = is_high ? high[k] : low[k];
      if (is_high) continue;
      variants.add_change(row, high);
      ++variants.count;
    }
    variants.check();
  }
}

// Sums of whole numbers that differ stay different, so each variant follows a path of its own. There are more paths
// than are kept: that of variant 32 replaces the one of variant 0, but for its first rows, where variant 33 has the
// same sums.
TEST_CASE("the path of a variant never joins rows that an older path has left") {
  Random random(14);
  Variants variants(random, 40);
  for (auto& column : variants.columns) std::fill(column.begin(), column.end(), 1.0);
  variants.components = {0};
  for (int v = 0; v < 40; ++v) {
    ComponentValues values;
    values[0] = v == 32 ? 100.0 : v == 33 ? 2.0 : 2.0 + v;
    variants.add_change(v == 32 ? 5 : 0, values);
    ++variants.count;
  }
  variants.check();
}

}  // namespace htools::changed_folds_test
