#include "placement/revertible.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

using htools::Revertible;
using htools::testing::Random;
using htools::testing::scaled;

TEST_CASE("changes of a trial are undone, or belong to the trial around it") {
  Revertible<int> values({1, 2, 3});
  std::vector<std::size_t> restored;
  const auto note = [&](std::size_t position) { restored.push_back(position); };
  values.begin();
  values.change(0) = 10;
  values.begin();
  values.change(0) = 20;
  values.change(2) = 30;
  values.keep();
  CHECK(values[0] == 20);
  CHECK(values.changed() == std::vector<std::size_t>{0, 2});
  values.revert(note);
  CHECK(values[0] == 1);
  CHECK(values[2] == 3);
  CHECK(values.changed().empty());
  CHECK(restored == std::vector<std::size_t>{0, 2});
}

TEST_CASE("trials are like copies of all values") {
  Random random(164);
  for (int round = 0; round < scaled(200); ++round) {
    std::vector<int> expected(1 + random.index(5), 0);
    Revertible<int> values(expected);
    std::vector<std::vector<int>> copies;
    for (int step = 1; step < 60; ++step) {
      const std::int64_t what = random.between(1, 6);
      if (what == 1) {
        copies.push_back(expected);
        values.begin();
      } else if (what == 2 && !copies.empty()) {
        copies.pop_back();
        values.keep();
      } else if (what == 3 && !copies.empty()) {
        std::vector<int> told = expected;
        expected = copies.back();
        copies.pop_back();
        values.revert([&](std::size_t position) { told[position] = expected[position]; });
        REQUIRE(told == expected);  // no change is undone without a word
      } else {
        const std::size_t position = random.index(expected.size());
        values.change(position) = expected[position] = step;
      }
      for (std::size_t p = 0; p < expected.size(); ++p) REQUIRE(values[p] == expected[p]);
    }
  }
}
