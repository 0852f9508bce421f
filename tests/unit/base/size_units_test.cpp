#include "base/size_units.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools::size_units_test {

namespace {

struct Size {
  std::string text;
  std::int64_t mib;
};

std::string size_error(const std::string& text) {
  try {
    htools::parse_size(text);
  } catch (const htools::InputError& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("a rate of a network is counted in MiB per second, without rounding") {
  CHECK(htools::parse_rate("1gbit") == doctest::Approx(1e9 / 8 / 1024 / 1024).epsilon(1e-12));
  CHECK(htools::parse_rate("10 Gbit") == doctest::Approx(1192.0929).epsilon(1e-7));
  CHECK(htools::parse_rate("100mbit") == doctest::Approx(11.920929).epsilon(1e-7));
  CHECK(htools::parse_rate("100m") == 100.0);
  CHECK(htools::parse_rate("1g") == 1024.0);
  CHECK_THROWS_AS(htools::parse_rate("gbit"), htools::InputError);
  CHECK_THROWS_AS(htools::parse_rate("1kbit"), htools::InputError);
  CHECK_THROWS_AS(htools::parse_size("1gbit"), htools::InputError);
}

TEST_CASE("a size is counted in MiB, in powers of 1024 or of 1000") {
  const std::vector<Size> cases = {
      {"7", 7},        {"16M", 15},      {"3m", 3},         {"3MiB", 3},  {"3g", 3072},    {"3GiB", 3072},
      {"3gIb", 3072},  {"3t", 3145728},  {"3TIB", 3145728}, {"3G", 2861}, {"3gb", 2861},   {"3GB", 2861},
      {"3T", 2861022}, {"3tb", 2861022}, {"1M", 0},         {"1mb", 0},   {"1049M", 1000}, {"1048M", 999},
      {"100G", 95367}, {"1T", 953674},   {"5mIB", 5},
  };
  for (const Size& c : cases) {
    CAPTURE(c.text);
    CHECK(htools::parse_size(c.text) == c.mib);
  }
}

TEST_CASE("spaces may stand in front of the unit, any blanks in front of the number") {
  const std::vector<Size> cases = {{"5   G", 4768}, {" 5g", 5120}, {"\t5g", 5120},
                                   {"5 ", 5},       {"5  mib", 5}, {"- 3g", -3072}};
  for (const Size& c : cases) CHECK(htools::parse_size(c.text) == c.mib);
}

TEST_CASE("a negative size is truncated toward zero") {
  CHECK(htools::parse_size("-7M") == -6);
  CHECK(htools::parse_size("-5T") == -4768371);
}

TEST_CASE("everything behind number and spaces is the unit") {
  const std::vector<std::vector<std::string>> cases = {
      {"5g ", "g "},     {"1.", "."},
      {"1.g", ".g"},     {"10k", "k"},
      {"10b", "b"},      {"1p", "p"},
      {"5\tg", "\tg"},   {"5M5", "M5"},
      {"5e", "e"},       {"5 \xc3\xa9", "\xc3\xa9"},
      {"5mibs", "mibs"}, {"99999999999999999999k", "k"},
  };
  for (const auto& c : cases) CHECK(size_error(c[0]) == "Unknown unit '" + c[1] + "'");
}

TEST_CASE("a size without an integer cannot be parsed") {
  for (const char* text : {"1.5", "1e3", "1e3g", "1.5g", "+5", "g", "", " ", "-"}) {
    CHECK(size_error(text) == "Can't parse string '" + std::string(text) + "'");
  }
}

TEST_CASE("hexadecimal numbers and parentheses are no sizes") {
  CHECK(size_error("0x10g") == "Unknown unit 'x10g'");
  CHECK(size_error("0x10b") == "Unknown unit 'x10b'");
  CHECK(size_error("(5)g") == "Can't parse string '(5)g'");
}

TEST_CASE("sizes are exact up to the 64-bit range and errors beyond it") {
  CHECK(htools::parse_size("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(htools::parse_size("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(htools::parse_size("8796093022207t") == 9223372036853727232);
  CHECK(htools::parse_size("9223372036854775807M") == 8796093022207999999);
  for (const char* text : {"8796093022208t", "9223372036854775807g", "9223372036854775808", "-9223372036854775809M"}) {
    CHECK(size_error(text) == "size out of the 64-bit range: '" + std::string(text) + "'");
  }
}

}  // namespace htools::size_units_test
