#include "json/in_situ_stream.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::in_situ_stream_test {

namespace {

using htools::InSituStream;
using htools::testing::Random;
using htools::testing::scaled;

// Returns the first position from `begin` on that is not kept as it is in a JSON string.
std::size_t literal_end(const std::string& text, std::size_t begin) {
  while (text[begin] != '"' && text[begin] != '\\' && static_cast<unsigned char>(text[begin]) >= 0x20) ++begin;
  return begin;
}

// Starts a string at each position of the text, and compares where the stream goes on.
void compare_with_literal(std::string text) {
  const std::size_t size = text.size();
  text.append(InSituStream::kReadBehind, '\0');
  for (std::size_t begin = 0; begin <= size; ++begin) {
    InSituStream stream(text.data());
    for (std::size_t i = 0; i < begin; ++i) stream.Take();
    const char* const first = stream.PutBegin();
    const std::size_t end = literal_end(text, begin);
    REQUIRE(first == text.data() + begin);
    REQUIRE(stream.Tell() == end);
    REQUIRE(stream.PutEnd(first) == end - begin);
    REQUIRE(stream.Peek() == text[end]);
  }
}

}  // namespace

TEST_CASE("a string goes to its first byte that is not kept, whatever the bytes around it are") {
  for (int byte = 0; byte < 256; ++byte) {
    for (const char around : {'a', '\x7F', '\x80', '\xFF', '!', '#', '[', ']', ' '}) {
      std::string text(20, around);
      text[11] = static_cast<char>(byte);
      compare_with_literal(text);
    }
  }
  Random random(1);
  for (int round = 0; round < scaled(2000); ++round) {
    std::string text;
    const std::size_t size = random.index(40);
    for (std::size_t i = 0; i < size; ++i) {
      text += random.chance(15) ? random.one_of(std::vector<char>{'"', '\\', '\n', '\x1F', '\x01', '\0'})
                                : static_cast<char>(random.index(256));
    }
    compare_with_literal(text);
  }
}

TEST_CASE("what is written behind the kept bytes moves them together") {
  std::string text = "abc\\ndef\"";
  text.append(InSituStream::kReadBehind, '\0');
  InSituStream stream(text.data());
  const char* const first = stream.PutBegin();
  CHECK(stream.Take() == '\\');
  CHECK(stream.Take() == 'n');
  stream.Put('\n');
  while (stream.Peek() != '"') stream.Put(stream.Take());
  CHECK(std::string(first, stream.PutEnd(first)) == "abc\ndef");
  CHECK(stream.Tell() == 8);
}

}  // namespace htools::in_situ_stream_test
