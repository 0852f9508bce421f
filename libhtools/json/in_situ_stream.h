// Defines the stream from which the JSON parser reads a text that it may change.
#pragma once

#include <rapidjson/stream.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace htools {

// A stream for parsing in place, like rapidjson::InsituStringStream. When a string begins, this stream goes to its end
// at once, or to its first escape: eight bytes at a time, from wherever the string begins. The stream of RapidJSON goes
// byte by byte to the next multiple of 16 first, and few strings of cluster documents are longer than that.
//
// At least kReadBehind zero bytes must follow the text.
class InSituStream {
 public:
  using Ch = char;
  static constexpr std::size_t kReadBehind = 8;

  explicit InSituStream(char* text) : from_(text), to_(nullptr), begin_(text) {}

  char Peek() const { return *from_; }
  char Take() { return *from_++; }
  std::size_t Tell() const { return static_cast<std::size_t>(from_ - begin_); }

  // Starts writing where reading is. What needs no translation is in its place already, so both go on behind it. (The
  // parser also calls this to get the place of a number; it does so on a copy of the stream that it then drops.)
  char* PutBegin() {
    char* const first = from_;
    to_ = from_ = first_special(first);
    return first;
  }
  void Put(char c) { *to_++ = c; }
  std::size_t PutEnd(const char* first) const { return static_cast<std::size_t>(to_ - first); }
  char* Push(std::size_t count) {
    char* const first = to_;
    to_ += count;
    return first;
  }
  void Pop(std::size_t count) { to_ -= count; }
  void Flush() {}

 private:
  // True for the bytes inside a string that are not merely kept: quotes, backslashes and control characters. The zero
  // behind the text is one of them.
  static bool is_special(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }
  // Returns eight bytes of which the lowest that is not 0 marks the first special one of `bytes`, counted from the
  // lowest; 0 if none is special. Subtracting a limit from all bytes sets the highest bit of those that are below it.
  // It may also set that of higher bytes, by a borrow, but a borrow comes from special bytes only.
  static std::uint64_t marks_of_special(std::uint64_t bytes) {
    constexpr std::uint64_t kEach = 0x0101010101010101;
    const auto below = [](std::uint64_t x, std::uint64_t limit) { return (x - kEach * limit) & ~x; };
    const auto equal = [&](unsigned char c) { return below(bytes ^ (kEach * c), 1); };
    return (below(bytes, 0x20) | equal('"') | equal('\\')) & (kEach << 7);
  }
  static char* first_special(char* at) {
    for (;; at += sizeof(std::uint64_t)) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      const std::uint64_t marks = marks_of_special(bytes);
      if (marks == 0) continue;
      if constexpr (std::endian::native == std::endian::little) return at + std::countr_zero(marks) / 8;
      while (!is_special(*at)) ++at;
      return at;
    }
  }

  char* from_;
  char* to_;
  char* begin_;
};

}  // namespace htools

namespace rapidjson {

// Lets the parser work on a local copy of the stream, whose members then stay in registers.
template <>
struct StreamTraits<htools::InSituStream> {
  enum { copyOptimization = 1 };  // NOLINT(readability-identifier-naming): RapidJSON wants this name
};

}  // namespace rapidjson
