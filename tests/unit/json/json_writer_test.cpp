#include "json/json_writer.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace htools::json_writer_test {

TEST_CASE("strings in JSON are escaped where they must be, and nowhere else") {
  CHECK(JsonText::string("").text() == "\"\"");
  CHECK(JsonText::string("a\"b\\c/\xC3\xA9").text() == "\"a\\\"b\\\\c/\xC3\xA9\"");
  CHECK(JsonText::string("\b\f\n\r\t").text() == R"("\b\f\n\r\t")");
  CHECK(JsonText::string(std::string("\x00\x01\x0B\x1F\x7F", 5)).text() == "\"\\u0000\\u0001\\u000b\\u001f\x7F\"");
}

TEST_CASE("values of JSON without a blank") {
  CHECK(JsonText::null().text() == "null");
  CHECK(JsonText::boolean(true).text() == "true");
  CHECK(JsonText::boolean(false).text() == "false");
  CHECK(JsonText::number(std::numeric_limits<std::int64_t>::min()).text() == "-9223372036854775808");
  CHECK(JsonText::real(0).text() == "0");
  CHECK(JsonText::real(-2.5).text() == "-2.5");
  CHECK(JsonText::real(1e-5).text() == "1.0e-5");
  CHECK(JsonText::real(1e21).text() == "1000000000000000000000");
  CHECK(JsonText::array({}).text() == "[]");
  CHECK(JsonText::object({}).text() == "{}");
  const JsonText inner = JsonText::array({JsonText::number(1), JsonText::array({}), JsonText::string("x")});
  CHECK(inner.text() == R"([1,[],"x"])");
  CHECK(JsonText::object({{"b\n", inner}, {"a", JsonText::boolean(false)}}).text() ==
        R"({"b\n":[1,[],"x"],"a":false})");
}

}  // namespace htools::json_writer_test
