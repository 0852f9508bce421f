#include "base/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>

#include "base/literal.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kDigits = "0123456789";

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
}

bool starts_with_digit(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

// Removes the leading digits from `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

// Removes `-` and the blanks around it from `text`. Returns true if there was a `-`.
bool take_sign(std::string_view& text) {
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative) text = without_blanks(text.substr(1));
  return negative;
}

// An unsigned decimal number and its parts, which are views into `token`. `exponent` includes its '-' but not its '+'.
struct Token {
  std::string_view token, integer, fraction, exponent;
};

// Removes the longest possible number from `text` and returns it. A point or an exponent mark that no digit follows is
// not part of the number.
std::optional<Token> take_number(std::string_view& text) {
  if (!starts_with_digit(text)) return std::nullopt;
  const std::string_view start = text;
  Token result;
  result.integer = take_digits(text);
  if (text.starts_with('.') && starts_with_digit(text.substr(1))) {
    text.remove_prefix(1);
    result.fraction = take_digits(text);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    std::string_view exponent = text.substr(1);
    const bool has_sign = exponent.starts_with('+') || exponent.starts_with('-');
    std::string_view rest = exponent.substr(has_sign ? 1 : 0);
    if (starts_with_digit(rest)) {
      if (exponent.starts_with('+')) exponent.remove_prefix(1);
      take_digits(rest);
      result.exponent = exponent.substr(0, exponent.size() - rest.size());
      text = rest;
    }
  }
  result.token = start.substr(0, start.size() - text.size());
  return result;
}

// Removes the word NaN or Infinity from `text` and returns its value. A longer word that begins like one of them does
// not count.
std::optional<double> take_special(std::string_view& text) {
  const auto continues_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto end = std::find_if_not(text.begin(), text.end(), continues_word);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (word != "NaN" && word != "Infinity") return std::nullopt;
  text.remove_prefix(word.size());
  return word == "NaN" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
}

// True if a nonzero number is 1 or more, judged by the place of its first significant digit.
bool is_at_least_one(const Token& number) {
  // The value is far beyond the length of any text, so that such an exponent decides alone, and adding the length does
  // not overflow.
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  std::int64_t exponent = 0;
  const char* const end = number.exponent.data() + number.exponent.size();
  if (std::from_chars(number.exponent.data(), end, exponent).ec == std::errc::result_out_of_range) {
    exponent = number.exponent.starts_with('-') ? -kHuge : kHuge;
  }
  exponent = std::clamp(exponent, -kHuge, kHuge);
  const std::size_t first_of_integer = number.integer.find_first_not_of('0');
  if (first_of_integer != std::string_view::npos) {
    return exponent + static_cast<std::int64_t>(number.integer.size() - first_of_integer) > 0;
  }
  return exponent > static_cast<std::int64_t>(number.fraction.find_first_not_of('0'));
}

// Returns the value of a number, correctly rounded. std::from_chars does not distinguish numbers that are too large
// from those that are too small.
double value_of(const Token& number) {
  double value = 0;
  const auto error = std::from_chars(number.token.data(), number.token.data() + number.token.size(), value).ec;
  if (error != std::errc::result_out_of_range) return value;
  return is_at_least_one(number) ? std::numeric_limits<double>::infinity() : 0.0;
}

// Returns `magnitude` with its sign, or nothing if that is out of the 64-bit range.
std::optional<std::int64_t> signed_value(std::string_view magnitude, bool negative) {
  std::uint64_t value = 0;
  if (std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), value).ec != std::errc()) return {};
  constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
  if (value > (negative ? kSignBit : kSignBit - 1)) return {};
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

[[noreturn]] void fail_nothing_parsed(std::string_view text, std::string_view owner) {
  throw InputError(ErrorCode::Syntax, fmt::format("{}: cannot parse string '{}'", owner, text));
}

void require_nothing_left(std::string_view text, std::string_view rest, std::string_view owner) {
  if (!rest.empty())
    throw InputError(ErrorCode::Syntax,
                     fmt::format("{}: leftover characters when parsing '{}': '{}'", owner, text, rest));
}

}  // namespace

std::optional<IntPrefix> read_int_prefix(std::string_view text) {
  const bool negative = take_sign(text);
  const auto number = take_number(text);
  if (!number || number->token != number->integer) return std::nullopt;
  return IntPrefix{signed_value(number->integer, negative), text};
}

std::int64_t parse_int(std::string_view text, std::string_view owner) {
  // Nearly all numbers are digits only. Reading these directly takes a fifth of the instructions.
  if (!kLiteral && starts_with_digit(text)) {
    std::int64_t digits = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), digits);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return digits;
  }
  const auto prefix = read_int_prefix(text);
  if (!prefix) fail_nothing_parsed(text, owner);
  require_nothing_left(text, prefix->rest, owner);
  if (!prefix->value)
    throw InputError(ErrorCode::Syntax, fmt::format("{}: number out of the 64-bit range: '{}'", owner, text));
  return *prefix->value;
}

double parse_double(std::string_view text, std::string_view owner) {
  std::string_view rest = text;
  const bool negative = take_sign(rest);
  std::optional<double> value;
  if (const auto number = take_number(rest)) {
    value = value_of(*number);
  } else {
    value = take_special(rest);
  }
  if (!value) fail_nothing_parsed(text, owner);
  require_nothing_left(text, rest, owner);
  return negative ? -*value : *value;
}

std::int64_t floor_to_int(double value) {
  const std::int64_t truncated = truncate_to_int(value);
  return value - static_cast<double>(truncated) < 0 ? truncated - 1 : truncated;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

}  // namespace htools
