#include "base/strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

namespace htools {
namespace {

// The names that escapes use for the control characters U+0000 to U+001F.
constexpr std::array<std::string_view, 32> kControlNames = {
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a",   "b",   "t",  "n",   "v",   "f",  "r",  "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"};

// Returns a lower bound of how many ASCII characters `text` begins with. It looks at 32 bytes at a time, and
// at the end at 8, so it may leave out up to 7.
std::size_t ascii_length(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t length = 0;
  for (std::array<std::uint64_t, 4> block; length + sizeof block <= text.size(); length += sizeof block) {
    std::memcpy(block.data(), text.data() + length, sizeof block);
    if (((block[0] | block[1] | block[2] | block[3]) & kHighBits) != 0) break;
  }
  for (std::uint64_t block = 0; length + sizeof block <= text.size(); length += sizeof block) {
    std::memcpy(&block, text.data() + length, sizeof block);
    if ((block & kHighBits) != 0) break;
  }
  return length;
}

// Removes the first code point from `text`, which must not be empty, and returns it. If the text begins with an invalid
// byte, removes and returns nothing.
std::optional<char32_t> take_valid_code_point(std::string_view& text) {
  namespace utf = boost::locale::utf;
  const char* position = text.data();
  const utf::code_point decoded = utf::utf_traits<char>::decode(position, text.data() + text.size());
  if (!utf::is_valid_codepoint(decoded)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(position - text.data()));
  return decoded;
}

// Removes the first character from `text`, which must not be empty, and returns it. An invalid byte counts as a
// character with the byte's value.
char32_t take_code_point(std::string_view& text) {
  if (const auto valid = take_valid_code_point(text)) return *valid;
  const auto byte = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  return byte;
}

// Returns a character as quote() writes it.
std::string escaped(char32_t c) {
  if (c < kControlNames.size()) return fmt::format("\\{}", kControlNames[c]);
  if (c == U'"' || c == U'\\') return {'\\', static_cast<char>(c)};
  if (c < 127) return {static_cast<char>(c)};
  if (c == 127) return "\\DEL";
  return fmt::format("\\{}", static_cast<std::uint32_t>(c));
}

// True if a reader would take `next` as a part of the escape of `c`.
bool continues_escape(char32_t c, char next) {
  constexpr char32_t kShiftOut = 14;  // written \SO, with which \SOH begins as well
  return c >= 128 ? next >= '0' && next <= '9' : c == kShiftOut && next == 'H';
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  pieces.emplace_back(text);
  return pieces;
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  return fmt::format("{}", fmt::join(pieces, separator));
}

std::string join_first(const std::vector<std::string>& texts, std::size_t most) {
  if (texts.size() <= most) return join(texts, ", ");
  return fmt::format("{} and {} more",
                     fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(most), ", "),
                     texts.size() - most);
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    quoted += escaped(c);
    if (!text.empty() && continues_escape(c, text.front())) quoted += "\\&";
  }
  return quoted += '"';
}

std::string quote_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  std::transform(texts.begin(), texts.end(), std::back_inserter(quoted), [](const std::string& s) { return quote(s); });
  return fmt::format("[{}]", join(quoted, ","));
}

std::string quoted_word(std::string_view text) {
  constexpr std::size_t kMostEscaped = 60;
  const auto is_control = [](char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); };
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint first = first_code_point(rest);
    if (!first.value || is_control(*first.value)) {
      return quote(text.substr(0, kMostEscaped)) + (text.size() > kMostEscaped ? "..." : "");
    }
    rest.remove_prefix(first.bytes.size());
  }
  return fmt::format("'{}'", text);
}

std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += "\\''";
  }
  return quoted += '\'';
}

std::size_t valid_utf8_length(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    rest.remove_prefix(ascii_length(rest));
    if (!rest.empty() && !take_valid_code_point(rest)) break;
  }
  return text.size() - rest.size();
}

CodePoint first_code_point(std::string_view text) {
  std::string_view rest = text;
  const std::optional<char32_t> value = take_valid_code_point(rest);
  return {value, text.substr(0, value ? text.size() - rest.size() : 1)};
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); ++width) take_code_point(text);
  return width;
}

std::vector<std::string> filled_lines(const std::vector<std::string>& parts, std::size_t width,
                                      std::size_t first_width) {
  std::vector<std::string> lines;
  std::size_t used = 0;  // columns of the last line
  for (const std::string& part : parts) {
    const std::size_t most = lines.size() <= 1 ? first_width : width;
    const std::size_t own = display_width(part);
    if (lines.empty() || used + 1 + own > most) {
      lines.push_back(part);
      used = own;
    } else {
      lines.back() += " " + part;
      used += 1 + own;
    }
  }
  return lines;
}

}  // namespace htools
