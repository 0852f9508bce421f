#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/decimal_digits.h"

namespace htools {
namespace {

// Cuts or pads `digits` to `count` digits, rounding half to even. Returns true if a carry came out of the front; the
// result is then one digit longer.
bool round_digits(std::string& digits, std::size_t count) {
  if (count >= digits.size()) {
    digits.resize(count, '0');
    return false;
  }
  const bool previous_even = count == 0 || (digits[count - 1] - '0') % 2 == 0;
  const bool exact_half = digits[count] == '5' && digits.find_first_not_of('0', count + 1) == std::string::npos;
  const bool up = exact_half ? !previous_even : digits[count] >= '5';
  digits.resize(count);
  if (!up) return false;

  const std::size_t last_below_nine = digits.find_last_not_of('9');
  const bool carry = last_below_nine == std::string::npos;
  const std::size_t first_nine = carry ? 0 : last_below_nine + 1;
  std::fill(digits.begin() + static_cast<std::ptrdiff_t>(first_nine), digits.end(), '0');
  if (carry) {
    digits.insert(digits.begin(), '1');
  } else {
    ++digits[last_below_nine];
  }
  return carry;
}

// Returns the digits with the point after the first `integer_digits` of them. "0" stands before the point if there are
// no integer digits.
std::string with_point(const std::string& digits, std::size_t integer_digits) {
  std::string text = integer_digits == 0 ? "0" : digits.substr(0, integer_digits);
  if (digits.size() > integer_digits) text += "." + digits.substr(integer_digits);
  return text;
}

// Returns all digits without the point. For a number below 0.1 they include the zeros between the point and the first
// nonzero digit.
std::string positional_digits(const Decimal& decimal) {
  return std::string(static_cast<std::size_t>(std::max(-decimal.exponent, 0)), '0') + decimal.digits;
}

// Returns how many of the positional digits stand before the point.
std::size_t integer_digit_count(const Decimal& decimal) {
  return static_cast<std::size_t>(std::max(decimal.exponent, 0));
}

std::string fixed_form(const Decimal& decimal, int decimals) {
  std::string digits = positional_digits(decimal);
  const std::size_t integer_digits = integer_digit_count(decimal);
  const bool carry = round_digits(digits, integer_digits + static_cast<std::size_t>(decimals));
  return with_point(digits, integer_digits + (carry ? 1 : 0));
}

std::string plain_form(const Decimal& decimal) {
  std::string digits = positional_digits(decimal);
  const std::size_t integer_digits = integer_digit_count(decimal);
  digits.resize(std::max(digits.size(), integer_digits + 1), '0');
  return with_point(digits, integer_digits);
}

// Returns the form d.ddde±x with `digit_count` (>= 2) digits.
std::string exponent_form(const Decimal& decimal, std::size_t digit_count) {
  std::string digits = decimal.digits;
  const bool carry = round_digits(digits, digit_count);
  digits.resize(digit_count);  // after a carry there is one digit too many, a zero
  return fmt::format("{}e{}", with_point(digits, 1), decimal.exponent - 1 + (carry ? 1 : 0));
}

// True for zero and for 0.1 <= number < 10^7. The forms that choose write such numbers without an exponent.
bool is_moderate(const Decimal& decimal) { return decimal.exponent >= 0 && decimal.exponent <= 7; }

// Adds the sign to `form`, which writes a finite number >= 0, and handles the special values.
template <class Form>
std::string with_sign(double value, Form form) {
  if (std::isnan(value)) return "NaN";
  const std::string magnitude = std::isinf(value) ? "Infinity" : form(shortest_digits(std::fabs(value)));
  return std::signbit(value) ? "-" + magnitude : magnitude;
}

}  // namespace

std::string format_fixed(double value, int decimals) {
  return with_sign(value, [=](const Decimal& decimal) { return fixed_form(decimal, decimals); });
}

std::string format_fixed(double value, int width, int decimals) {
  return fmt::format("{:>{}}", format_fixed(value, decimals), width);
}

std::string format_plain(double value) { return with_sign(value, plain_form); }

std::string format_show(double value) {
  return with_sign(value, [](const Decimal& decimal) {
    return is_moderate(decimal) ? plain_form(decimal)
                                : exponent_form(decimal, std::max<std::size_t>(decimal.digits.size(), 2));
  });
}

std::string format_general(double value, int decimals) {
  return with_sign(value, [=](const Decimal& decimal) {
    return is_moderate(decimal) ? fixed_form(decimal, decimals)
                                : exponent_form(decimal, static_cast<std::size_t>(decimals) + 1);
  });
}

}  // namespace htools
