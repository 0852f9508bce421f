#include "search/draws.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace htools::draws_test {

// The first numbers of SplitMix64 for the seed 1234567, as they are published, are 6457827717110365317,
// 3203168211198807973, 9817491932198370423, 4593380528125082431 and 16408922859458223821.
TEST_CASE("draws are those of SplitMix64") {
  Draws draws(1234567);
  for (const std::size_t number : {350U, 173U, 532U, 249U, 889U}) CHECK(draws.below(1000) == number);
}

TEST_CASE("numbers are below a count, and all of them occur about equally often") {
  Draws draws(1);
  std::vector<int> counts(10, 0);
  for (int d = 0; d < 10'000; ++d) {
    const std::size_t number = draws.below(counts.size());
    REQUIRE(number < counts.size());
    ++counts[number];
  }
  for (const int count : counts) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
  CHECK(draws.one_of(std::vector{5}) == 5);
}

TEST_CASE("exponential draws have mean and deviation 1") {
  Draws draws(2);
  double sum = 0.0, squares = 0.0, largest = 0.0;
  constexpr int kDraws = 20'000;
  for (int d = 0; d < kDraws; ++d) {
    const double x = draws.exponential();
    REQUIRE(x > 0.0);
    sum += x;
    squares += x * x;
    largest = std::max(largest, x);
  }
  const double mean = sum / kDraws;
  CHECK(std::abs(mean - 1.0) < 0.03);
  CHECK(std::abs(squares / kDraws - mean * mean - 1.0) < 0.1);
  CHECK(largest == doctest::Approx(std::log(2048.0)));  // the last of 1,024 quantiles
}

}  // namespace htools::draws_test
