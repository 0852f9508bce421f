#include "json/json_stream.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace htools::json_stream_test {

namespace {

// Returns what `write` writes.
template <class Write>
std::string written(JsonLayout layout, Write write) {
  std::string text;
  JsonStream out([&](std::string_view piece) { text += piece; }, layout);
  write(out);
  out.finish();
  return text;
}

void write_example(JsonStream& out) {
  out.begin_object();
  out.key("list");
  out.begin_array();
  out.integer(-3);
  out.boolean(true);
  out.null();
  out.end_array();
  out.key("text");
  out.text("a\"b\n");
  out.end_object();
}

std::string number(double value) {
  return written(JsonLayout::Compact, [value](JsonStream& out) { out.number(value); });
}

}  // namespace

TEST_CASE("a compact document has no white space but the final line feed") {
  CHECK(written(JsonLayout::Compact, write_example) == "{\"list\":[-3,true,null],\"text\":\"a\\\"b\\n\"}\n");
}

TEST_CASE("an indented document has a line for each value") {
  CHECK(written(JsonLayout::Indented, write_example) ==
        "{\n  \"list\": [\n    -3,\n    true,\n    null\n  ],\n  \"text\": \"a\\\"b\\n\"\n}\n");
}

TEST_CASE("numbers have the shortest digits, and are null if they are not finite") {
  CHECK(number(0.1) == "0.1\n");
  CHECK(number(1e-9) == "1e-09\n");
  CHECK(number(3.0) == "3\n");
  CHECK(number(std::nan("")) == "null\n");
  CHECK(number(std::numeric_limits<double>::infinity()) == "null\n");
}

TEST_CASE("bytes that are not UTF-8 become replacement characters") {
  CHECK(written(JsonLayout::Compact, [](JsonStream& out) { out.text("a\xFF"); }) == "\"a\xEF\xBF\xBD\"\n");
}

TEST_CASE("a long document arrives in pieces of limited size") {
  constexpr std::size_t kElements = 100000;
  std::vector<std::size_t> sizes;
  JsonStream out([&](std::string_view piece) { sizes.push_back(piece.size()); }, JsonLayout::Compact);
  out.begin_array();
  for (std::size_t i = 0; i < kElements; ++i) out.integer(1);
  out.end_array();
  out.finish();
  std::size_t sum = 0;
  for (const std::size_t size : sizes) {
    CHECK(size <= 65536);
    sum += size;
  }
  CHECK(sizes.size() > 2);
  CHECK(sum == 2 * kElements + 2);
}

}  // namespace htools::json_stream_test
