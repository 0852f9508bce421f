#include "base/decimal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace htools::decimal_test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Fixed {
  double value;
  int width;
  int decimals;
  std::string text;
};

struct Free {
  double value;
  std::string text;
};

std::string printed(const char* format, int precision, double value) {
  std::vector<char> text(2000);
  std::snprintf(text.data(), text.size(), format, precision, value);
  return text.data();
}

// Formats the number slowly: takes the first "%.Ne" that reads back as `value`, writes it as "ddd.ddd", and rounds that
// text.
std::string slow_format_fixed(double value, int decimals) {
  int precision = 0;
  while (std::strtod(printed("%.*e", precision, value).c_str(), nullptr) != value) ++precision;
  std::string text = printed("%.*e", precision, value);

  const bool negative = text[0] == '-';
  if (negative) text.erase(0, 1);
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  std::string digits = text.substr(0, 1) + (e > 2 ? text.substr(2, e - 2) : "");
  const std::string zeros(400, '0');
  digits = zeros + digits + zeros;  // the point is after the first 401 + exponent digits
  const std::size_t kept = static_cast<std::size_t>(401 + exponent + decimals);
  const std::string dropped = digits.substr(kept, 300);
  digits.resize(kept);

  const std::string half = "5" + std::string(299, '0');
  if (dropped > half || (dropped == half && (digits.back() - '0') % 2 == 1)) {
    std::size_t last = kept - 1;
    for (; digits[last] == '9'; --last) digits[last] = '0';
    ++digits[last];
  }
  if (decimals > 0) digits.insert(kept - static_cast<std::size_t>(decimals), ".");
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty() || digits[0] == '.') digits.insert(0, "0");
  return (negative ? "-" : "") + digits;
}

}  // namespace

TEST_CASE("fixed decimals round the shortest digits, half to even") {
  const std::vector<Fixed> cases = {
      {0.0025, 0, 3, "0.002"},
      {9.9995, 0, 3, "10.000"},
      {4.2445, 0, 3, "4.244"},
      {0.0005, 0, 3, "0.000"},
      {0.5, 0, 0, "0"},
      {1.5, 0, 0, "2"},
      {2.5, 0, 0, "2"},
      {5.5, 0, 0, "6"},
      {4096.5, 0, 0, "4096"},
      {4097.5, 0, 0, "4098"},
      {65535.5, 0, 0, "65536"},
      {203.0 / 200, 5, 2, " 1.02"},
      {201.0 / 200, 5, 2, " 1.00"},
      {0.125, 0, 2, "0.12"},
      {0.375, 0, 2, "0.38"},
      {0.025, 0, 2, "0.02"},
      {0.6, 0, 0, "1"},
      {0.96, 0, 1, "1.0"},
      {0.09996, 0, 4, "0.1000"},
      {0.00015, 0, 4, "0.0002"},
      {1e-300, 0, 2, "0.00"},
      {999.96, 0, 1, "1000.0"},
      {250, 0, 2, "250.00"},
      {0.25000001, 0, 1, "0.3"},
  };
  for (const Fixed& c : cases) {
    CAPTURE(c.value);
    CHECK(htools::format_fixed(c.value, c.width, c.decimals) == c.text);
  }
}

TEST_CASE("fixed decimals agree with the tables of balancing runs") {
  const std::vector<Fixed> cases = {
      {0.0005, 6, 3, " 0.000"},   {0.0025, 6, 3, " 0.002"},  {9.9995, 6, 3, "10.000"},
      {4.2445, 6, 3, " 4.244"},   {16, 6, 3, "16.000"},      {0.5625, 6, 4, "0.5625"},
      {0.203125, 6, 4, "0.2031"}, {0.00015, 6, 4, "0.0002"}, {25e-6, 6, 4, "0.0000"},
      {1.0 / 40, 5, 2, " 0.02"},  {1e-4, 5, 3, "0.000"},     {0.0015, 5, 3, "0.002"},
      {0.0625, 5, 3, "0.062"},    {976.5625, 5, 0, "  977"}, {0.64569092, 12, 8, "  0.64569092"},
  };
  for (const Fixed& c : cases) {
    CAPTURE(c.value);
    CHECK(htools::format_fixed(c.value, c.width, c.decimals) == c.text);
  }
}

TEST_CASE("digits behind the shortest ones are zeros") {
  CHECK(htools::format_fixed(2123646838278978560.0, 0) == "2123646838278978600");
  CHECK(htools::format_fixed(1e23, 5, 0) == "99999999999999990000000");
  CHECK(htools::format_fixed(0.1, 20) == "0.10000000000000000000");
}

TEST_CASE("the sign of a negative value stays when it rounds to zero") {
  CHECK(htools::format_fixed(-0.4, 0) == "-0");
  CHECK(htools::format_fixed(-0.0, 3) == "-0.000");
  CHECK(htools::format_fixed(((0.6 + 0.3) + 0.1) - 0.1 - 0.3 - 0.6, 6, 3) == "-0.000");
  CHECK(htools::format_fixed(-2.5, 0) == "-2");
  CHECK(htools::format_plain(-0.0) == "-0.0");
  CHECK(htools::format_show(-0.0) == "-0.0");
  CHECK(htools::format_show(-0.05) == "-5.0e-2");
}

TEST_CASE("special values are words, aligned like numbers") {
  CHECK(htools::format_fixed(kNaN, 5, 2) == "  NaN");
  CHECK(htools::format_fixed(-kNaN, 0) == "NaN");
  CHECK(htools::format_fixed(kInfinity, 5, 2) == "Infinity");
  CHECK(htools::format_fixed(-kInfinity, 11, 2) == "  -Infinity");
  CHECK(htools::format_plain(kInfinity) == "Infinity");
  CHECK(htools::format_show(-kInfinity) == "-Infinity");
  CHECK(htools::format_general(kNaN, 6) == "NaN");
}

TEST_CASE("the plain form has all digits and no exponent") {
  const std::vector<Free> cases = {
      {1, "1.0"},
      {0, "0.0"},
      {0.01, "0.01"},
      {1e10, "10000000000.0"},
      {1e-10, "0.0000000001"},
      {1e23, "99999999999999990000000.0"},
      {5e22, "49999999999999996000000.0"},
      {8.41e21, "8409999999999999000000.0"},
      {18014398509481988.0, "18014398509481988.0"},
      {123.456, "123.456"},
      {120, "120.0"},
  };
  for (const Free& c : cases) CHECK(htools::format_plain(c.value) == c.text);
}

TEST_CASE("the show form changes to an exponent below 0.1 and from ten million on") {
  const std::vector<Free> cases = {
      {4, "4.0"},
      {0, "0.0"},
      {0.1, "0.1"},
      {0.09999, "9.999e-2"},
      {0.05, "5.0e-2"},
      {100, "100.0"},
      {2.5, "2.5"},
      {32, "32.0"},
      {1e7, "1.0e7"},
      {9999999.9, "9999999.9"},
      {12345678.9, "1.23456789e7"},
      {2.5e-300, "2.5e-300"},
      {0.0769230769230771, "7.69230769230771e-2"},
      {1e23, "9.999999999999999e22"},
      {5e-324, "5.0e-324"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e308"},
  };
  for (const Free& c : cases) CHECK(htools::format_show(c.value) == c.text);
}

TEST_CASE("the general form has its decimals in both ranges") {
  const std::vector<Free> cases = {
      {12345678, "1.234568e7"}, {9999999, "9999999.000000"}, {1e7, "1.000000e7"}, {123456.7890125, "123456.789012"},
      {0.03125, "3.125000e-2"}, {1e-9, "1.000000e-9"},       {0, "0.000000"},     {99999999.6, "1.000000e8"},
  };
  for (const Free& c : cases) CHECK(htools::format_general(c.value, 6) == c.text);
}

TEST_CASE("fixed decimals agree with the slow formulation") {
  std::mt19937_64 random(4711);
  const auto check = [](double value, int decimals) {
    CAPTURE(value);
    CAPTURE(decimals);
    CHECK(htools::format_fixed(value, decimals) == slow_format_fixed(value, decimals));
  };
  // Larger values are left out. A short decimal may lie midway between two of them; strtod() reads it as one of the
  // two, but it is not among the shortest digits of either.
  std::uniform_real_distribution<double> exponent(-12, 12);
  std::uniform_int_distribution<int> decimals(0, 8);
  std::uniform_int_distribution<int> thousandths(-3'000'000, 3'000'000);
  for (int i = 0; i < 3000; ++i) {
    check(std::pow(10, exponent(random)), decimals(random));
    check(-std::pow(10, exponent(random)), decimals(random));
    check(thousandths(random) / 2000.0, decimals(random));  // many of these are ties
  }
}

}  // namespace htools::decimal_test
