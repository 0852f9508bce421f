#include "base/decimal_digits.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace htools::decimal_digits_test {

namespace {

struct Case {
  double value;
  std::string digits;
  int exponent;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.value);
    const htools::Decimal decimal = htools::shortest_digits(c.value);
    CHECK(decimal.digits == c.digits);
    CHECK(decimal.exponent == c.exponent);
  }
}

}  // namespace

TEST_CASE("the shortest digits identify a double") {
  check({{0, "0", 0},
         {1, "1", 1},
         {0.1, "1", 0},
         {0.001, "1", -2},
         {1024, "1024", 4},
         {120, "12", 3},
         {1.0 / 3, "3333333333333333", 0},
         {5e-324, "5", -323},
         {0x1p-44, "5684341886080802", -13}});
}

TEST_CASE("the ends of the interval that rounds to a double are not its digits") {
  check({{1e23, "9999999999999999", 23},
         {5e22, "49999999999999996", 23},
         {8.41e21, "8409999999999999", 22},
         {2123646838278978560.0, "21236468382789786", 19},
         {1e22, "1", 23}});
}

TEST_CASE("of two equally near shortest decimals the greater one is taken") {
  check({{1125899906842624.25, "11258999068426243", 16},
         {1125899906842624.75, "11258999068426248", 16},
         {140737488355328.125, "14073748835532813", 15},
         {1.07288360595703125e-6, "10728836059570313", -5}});
}

TEST_CASE("the digits of every double read back as the double") {
  std::mt19937_64 random(20240229);
  for (int i = 0; i < 5000; ++i) {
    const double value = std::fabs(std::bit_cast<double>(random()));
    if (!std::isfinite(value)) continue;
    const htools::Decimal decimal = htools::shortest_digits(value);
    const std::string text = "0." + decimal.digits + "e" + std::to_string(decimal.exponent);
    CAPTURE(text);
    CHECK(std::strtod(text.c_str(), nullptr) == value);
    CHECK(decimal.digits.size() <= 17);
  }
}

}  // namespace htools::decimal_digits_test
