// Writes and reads texts and numbers one behind the other in a string, in few bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace htools::packed {

// A number is written in groups of 7 bits, the lowest first; the eighth bit says that another group follows. Equal
// numbers have equal bytes, and numbers below 128 take one.
inline constexpr int kGroupBits = 7;
inline constexpr unsigned char kGroupMask = 0x7F;

// Appends the number.
inline void add_number(std::string& bytes, std::uint64_t number) {
  for (; number > kGroupMask; number >>= kGroupBits) {
    bytes += static_cast<char>((number & kGroupMask) | (kGroupMask + 1));
  }
  bytes += static_cast<char>(number);
}

// Appends the text behind its length.
inline void add_text(std::string& bytes, std::string_view text) {
  add_number(bytes, text.size());
  bytes += text;
}

// Return the number or the text at `at`, and move `at` behind it.
inline std::uint64_t take_number(const char*& at) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += kGroupBits) {
    const auto byte = static_cast<unsigned char>(*at++);
    number |= static_cast<std::uint64_t>(byte & kGroupMask) << shift;
    if (byte <= kGroupMask) return number;
  }
}
inline std::string_view take_text(const char*& at) {
  const auto size = static_cast<std::size_t>(take_number(at));
  const std::string_view text(at, size);
  at += size;
  return text;
}

}  // namespace htools::packed
