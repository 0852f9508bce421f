#include "trial/undo_log.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::undo_log_test {

using htools::UndoLog;
using htools::testing::Random;
using htools::testing::scaled;

namespace {

// A vector and its log.
struct Values {
  explicit Values(std::vector<int> start) : values(std::move(start)), log(values.size()) {}

  int& change(std::size_t i) {
    log.save(values, i);
    return values[i];
  }
  void add(int value) {
    values.push_back(value);
    log.added();
  }

  std::vector<int> values;
  UndoLog<int> log;
};

}  // namespace

TEST_CASE("changes of a trial are undone, or belong to the trial around it") {
  Values v({1, 2, 3});
  std::vector<std::size_t> restored;
  v.log.begin();
  v.change(0) = 10;
  v.log.begin();
  v.change(0) = 20;
  v.change(2) = 30;
  v.log.keep();
  CHECK(v.values == std::vector<int>{20, 2, 30});
  CHECK(v.log.changed() == std::vector<std::size_t>{0, 2});
  v.log.undo(v.values, [&](std::size_t position) { restored.push_back(position); });
  CHECK(v.values == std::vector<int>{1, 2, 3});
  CHECK(v.log.changed().empty());
  CHECK(restored == std::vector<std::size_t>{0, 2});
}

TEST_CASE("an element that was added and kept can be changed on trial") {
  Values v({1});
  v.log.begin();
  v.add(2);
  v.log.keep();
  v.log.begin();
  v.change(1) = 3;
  v.log.undo(v.values);
  CHECK(v.values == std::vector<int>{1, 2});
}

TEST_CASE("trials are like copies of all values") {
  Random random(164);
  for (int round = 0; round < scaled(200); ++round) {
    std::vector<int> expected(1 + random.index(5), 0);
    Values v(expected);
    std::vector<std::vector<int>> copies;
    for (int step = 1; step < 60; ++step) {
      const std::int64_t what = random.between(1, 7);
      if (what == 1) {
        copies.push_back(expected);
        v.log.begin();
      } else if (what == 2 && !copies.empty()) {
        copies.pop_back();
        v.log.keep();
      } else if (what == 3 && !copies.empty()) {
        std::vector<int> seen = expected;
        expected = copies.back();
        copies.pop_back();
        seen.resize(expected.size());
        v.log.undo(v.values, [&](std::size_t position) { seen[position] = expected[position]; });
        REQUIRE(seen == expected);  // every restored element is reported
      } else if (what == 4) {
        expected.push_back(step);
        v.add(step);
      } else {
        const std::size_t position = random.index(expected.size());
        v.change(position) = expected[position] = step;
      }
      REQUIRE(v.values == expected);
    }
  }
}

}  // namespace htools::undo_log_test
