// Defines the stream from which the JSON parser reads a text that it may change.
#pragma once

#include <rapidjson/stream.h>

#include <bit>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace htools {

// A stream for parsing in place, like rapidjson::InsituStringStream. When a string begins, this stream goes to its end
// at once, or to its first escape: sixteen bytes at a time, from wherever the string begins. The stream of RapidJSON
// goes byte by byte to the next multiple of 16 first, and few strings of cluster documents are longer than that.
//
// At least kReadBehind zero bytes must follow the text.
class InSituStream {
 public:
  using Ch = char;
  static constexpr std::size_t kReadBehind = 16;

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
  // Returns the place of the first byte from `at` on that is not merely kept inside a string: a quote, a backslash or a
  // control character. The zero behind the text is one.
  static char* first_special(char* at) {
#if defined(__SSE2__)
    for (;; at += sizeof(__m128i)) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const auto equal = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
      const __m128i control = _mm_cmpeq_epi8(_mm_subs_epu8(bytes, _mm_set1_epi8(0x1F)), _mm_setzero_si128());
      const __m128i special = _mm_or_si128(_mm_or_si128(equal('"'), equal('\\')), control);
      if (const auto marks = static_cast<unsigned>(_mm_movemask_epi8(special)); marks != 0) {
        return at + std::countr_zero(marks);
      }
    }
#else
    while (*at != '"' && *at != '\\' && static_cast<unsigned char>(*at) > 0x1F) ++at;
    return at;
#endif
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
