#include "base/numbers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools::numbers_test {

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const htools::InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string int_error(const std::string& text) {
  return error_of([&] { htools::parse_int(text, "n1"); });
}

std::string double_error(const std::string& text) {
  return error_of([&] { htools::parse_double(text, "n1"); });
}

std::string cannot_parse(const std::string& text) { return "n1: cannot parse string '" + text + "'"; }

std::string leftover(const std::string& text, const std::string& rest) {
  return "n1: leftover characters when parsing '" + text + "': '" + rest + "'";
}

std::string out_of_range(const std::string& text) { return "n1: number out of the 64-bit range: '" + text + "'"; }

struct IntCase {
  std::string text;
  std::int64_t value;
};

struct DoubleCase {
  std::string text;
  double value;
};

struct LeftoverCase {
  std::string text;
  std::string rest;
};

}  // namespace

TEST_CASE("an integer has digits, a sign and blanks in front") {
  const std::vector<IntCase> cases = {
      {"0", 0},
      {"-0", 0},
      {"5", 5},
      {"-3", -3},
      {"- 3", -3},
      {"- 1", -1},
      {"- 9", -9},
      {"0012", 12},
      {" 512", 512},
      {"\t7", 7},
      {"\n\v\f\r-\t8", -8},
      {"9223372036854775807", kMax},
      {"-9223372036854775808", kMin},
      {"00000000000000000000001", 1},
  };
  for (const IntCase& c : cases) CHECK(htools::parse_int(c.text, "n1") == c.value);
}

TEST_CASE("a double has fraction and exponent and is correctly rounded") {
  const std::vector<DoubleCase> cases = {
      {"5", 5},
      {"8192.5", 8192.5},
      {"1e4", 1e4},
      {"1e-2", 0.01},
      {"1e+2", 100},
      {"1.5E2", 150},
      {"0012", 12},
      {" 5.25", 5.25},
      {"- 1", -1},
      {"-  2.5e-1", -0.25},
      {"0.1", 0.1},
      {"1e23", 1e23},
      {"01.50", 1.5},
      {"4.9406564584124654e-324", 5e-324},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"9007199254740993", 9007199254740992.0},
  };
  for (const DoubleCase& c : cases) CHECK(htools::parse_double(c.text, "n1") == c.value);
  CHECK(std::signbit(htools::parse_double("-0", "n1")));
}

TEST_CASE("a double too large is an infinity, too small a zero") {
  const std::vector<DoubleCase> cases = {
      {"1e400", kInfinity},
      {"-1e400", -kInfinity},
      {"1.7976931348623159e308", kInfinity},
      {"1e-400", 0},
      {"2e-324", 0},
      {"1e99999999999999999999", kInfinity},
      {"1311e9223372036854775807", kInfinity},
      {"0.001e-9223372036854775808", 0},
      {"1e-99999999999999999999", 0},
      {"0e99999999999999999999", 0},
      {std::string(400, '9'), kInfinity},
      {std::string(400, '9') + "e-400", 1},
      {"0." + std::string(400, '0') + "1", 0},
      {"0." + std::string(400, '0') + "1e800", kInfinity},
      {"0." + std::string(400, '0') + "1e401", 1},
      {std::string(400, '0') + "1e-330", 0},
      {"1" + std::string(400, '0') + "e-800", 0},
  };
  for (const DoubleCase& c : cases) {
    CAPTURE(c.text);
    CHECK(htools::parse_double(c.text, "n1") == c.value);
  }
  CHECK(std::signbit(htools::parse_double("-1e-400", "n1")));
}

TEST_CASE("the words NaN and Infinity are doubles") {
  CHECK(htools::parse_double("Infinity", "n1") == kInfinity);
  CHECK(htools::parse_double(" - Infinity", "n1") == -kInfinity);
  CHECK(std::isnan(htools::parse_double("NaN", "n1")));
  CHECK(std::isnan(htools::parse_double("-NaN", "n1")));
  for (const char* text : {"NaN5", "Infinityx", "NaN'", "NaN_", "NaN\xc3\xa9", "inf", "nan", "Inf", "infinity"}) {
    CHECK(double_error(text) == cannot_parse(text));
  }
  CHECK(double_error("NaN ") == leftover("NaN ", " "));
  CHECK(double_error("Infinity-") == leftover("Infinity-", "-"));
}

TEST_CASE("text without a number at its start cannot be parsed") {
  for (const char* text : {"", " ", "-", "+5", ".5", "-.5", "--7", "--5", "+1", "a", "x", "-a", ",1", "e5"}) {
    CHECK(int_error(text) == cannot_parse(text));
    CHECK(double_error(text) == cannot_parse(text));
  }
}

TEST_CASE("an integer has neither fraction nor exponent") {
  for (const char* text : {"1.5", "5.0", "1.0", "1e0", "1e3", "1e+2", "1E-2", "1.5x", "1.5e", "NaN", "Infinity"}) {
    CHECK(int_error(text) == cannot_parse(text));
  }
}

TEST_CASE("characters behind a number are left over") {
  const std::vector<LeftoverCase> both = {
      {"1.", "."},
      {"5.", "."},
      {"5e", "e"},
      {"5e+", "e+"},
      {"5e-", "e-"},
      {"5e+-3", "e+-3"},
      {"1.e5", ".e5"},
      {"0b1", "b1"},
      {"0xg", "xg"},
      {"12abc", "abc"},
      {"5 ", " "},
      {"5\r", "\r"},
      {"7)", ")"},
      {"1,5", ",5"},
      {"5_0", "_0"},
      {"5'", "'"},
      {"- 5x", "x"},
      {"1..2", "..2"},
      {"5\xc3\xa9", "\xc3\xa9"},
  };
  for (const LeftoverCase& c : both) {
    CHECK(int_error(c.text) == leftover(c.text, c.rest));
    CHECK(double_error(c.text) == leftover(c.text, c.rest));
  }
  const std::vector<LeftoverCase> doubles = {{"1.5.2", ".2"}, {"1e5x", "x"}, {"1.5e", "e"}, {"1e5.5", ".5"}};
  for (const LeftoverCase& c : doubles) CHECK(double_error(c.text) == leftover(c.text, c.rest));
}

TEST_CASE("hexadecimal and octal numbers are errors") {
  const std::vector<LeftoverCase> cases = {{"0x10", "x10"}, {"-0x10", "x10"}, {"0X1F", "X1F"},    {"0x1.8", "x1.8"},
                                           {"0o17", "o17"}, {"0O7", "O7"},    {"0x2000", "x2000"}};
  for (const LeftoverCase& c : cases) {
    CHECK(int_error(c.text) == leftover(c.text, c.rest));
    CHECK(double_error(c.text) == leftover(c.text, c.rest));
  }
}

TEST_CASE("parentheses are errors") {
  for (const char* text : {"(-3)", "((-3))", "((- 3))", "-(3)", "(7", "(4096)", "( Infinity)", "()"}) {
    CHECK(int_error(text) == cannot_parse(text));
    CHECK(double_error(text) == cannot_parse(text));
  }
}

TEST_CASE("integers beyond 64 bits are errors") {
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999", "18446744073709551616"}) {
    CHECK(int_error(text) == out_of_range(text));
  }
  CHECK(int_error("99999999999999999999k") == leftover("99999999999999999999k", "k"));
}

TEST_CASE("an integer prefix leaves the rest of the text") {
  const auto prefix = htools::read_int_prefix(" -12 GiB");
  REQUIRE(prefix.has_value());
  CHECK(prefix->value == -12);
  CHECK(prefix->rest == " GiB");
  CHECK_FALSE(htools::read_int_prefix("GiB").has_value());
  CHECK_FALSE(htools::read_int_prefix("1.5GiB").has_value());
}

TEST_CASE("doubles become integers toward zero or minus infinity") {
  CHECK(htools::truncate_to_int(8192.9) == 8192);
  CHECK(htools::truncate_to_int(-1.5) == -1);
  CHECK(htools::floor_to_int(1.5) == 1);
  CHECK(htools::floor_to_int(-1.5) == -2);
  CHECK(htools::floor_to_int(-0.0) == 0);
  CHECK(htools::truncate_to_int(9223372036854774784.0) == 9223372036854774784);
  CHECK(htools::truncate_to_int(-0x1p63) == kMin);
}

TEST_CASE("doubles without an integer value become the smallest integer, or one less and thus the largest") {
  for (const double value : {0x1p63, 1e300, kInfinity, std::nan("")}) {
    CHECK(htools::truncate_to_int(value) == kMin);
    CHECK(htools::floor_to_int(value) == kMin);
  }
  for (const double value : {-0x1p64, -1e300, -kInfinity}) {
    CHECK(htools::truncate_to_int(value) == kMin);
    CHECK(htools::floor_to_int(value) == std::numeric_limits<std::int64_t>::max());
  }
}

TEST_CASE("integer division rounds toward minus infinity") {
  CHECK(htools::floor_div(-1, 1024) == -1);
  CHECK(htools::floor_div(-1024, 1024) == -1);
  CHECK(htools::floor_div(1023, 1024) == 0);
  CHECK(htools::floor_div(7, -2) == -4);
  CHECK(htools::floor_div(-7, -2) == 3);
  CHECK(htools::floor_div(0, -2) == 0);
  CHECK(htools::floor_div(kMin, 2) == kMin / 2);
}

}  // namespace htools::numbers_test
