#include "base/decimal_digits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/literal.h"

namespace htools {
namespace {

using boost::multiprecision::cpp_int;

// A positive double as significand x 2^exponent. The significand has 53 bits, or fewer if the number is subnormal.
struct Binary {
  std::uint64_t significand;
  int exponent;
};

constexpr int kSignificandBits = 53;
constexpr int kMinExponent = -1074;

Binary binary(double value) {
  const int exponent = std::max(std::ilogb(value) - (kSignificandBits - 1), kMinExponent);
  return {static_cast<std::uint64_t>(std::ldexp(value, -exponent)), exponent};
}

// Returns 2^exponent, or 1 if the exponent is negative; so does power_of_ten(). The bit is set instead of shifting a 1
// because g++ 14 gives false warnings about such shifts.
cpp_int power_of_two(int exponent) {
  cpp_int power = 0;
  return bit_set(power, static_cast<unsigned>(std::max(exponent, 0)));
}

// Returns 10^exponent, or 1 if the exponent is negative.
cpp_int power_of_ten(int exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(std::max(exponent, 0)));
}

// Generates digits until they identify `value` (> 0, finite) among all doubles. The ends of the interval of numbers
// that round to `value` do not belong to it, and of two equally near last digits the greater one is taken. The
// fractions r (the part of the value that is still to be written), low and high (the distances from the value to the
// two ends) share `denominator`.
Decimal generated_digits(double value) {
  const auto [significand, exponent] = binary(value);
  const bool narrow_below = significand == std::uint64_t{1} << (kSignificandBits - 1) && exponent > kMinExponent;
  // The fractions count quarters of the last bit, because below a power of two the doubles lie twice as dense.
  cpp_int r = cpp_int(significand) * 4;
  cpp_int high = 2;
  cpp_int low = narrow_below ? 1 : 2;
  cpp_int denominator = 4;

  const auto multiply = [&](const cpp_int& factor) {
    r *= factor;
    high *= factor;
    low *= factor;
  };

  multiply(power_of_two(exponent));
  denominator *= power_of_two(-exponent);

  Decimal result;
  result.exponent = static_cast<int>(std::floor(std::log10(value)));  // never too large; the loop below raises it
  denominator *= power_of_ten(result.exponent);
  multiply(power_of_ten(-result.exponent));
  for (; r + high > denominator; ++result.exponent) denominator *= 10;

  bool ends_low = false;
  bool ends_high = false;
  while (!ends_low && !ends_high) {
    multiply(10);
    const cpp_int quotient = r / denominator;
    int digit = static_cast<int>(quotient);
    r %= denominator;
    ends_low = r < low;
    ends_high = r + high > denominator;
    if (ends_high && !(ends_low && r * 2 < denominator)) ++digit;
    result.digits += static_cast<char>('0' + digit);
  }
  return result;
}

// Returns the digits from the standard library. For almost every value they are those that shortest_digits() must
// return.
Decimal standard_digits(double value) {
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');

  Decimal result;
  result.digits = text.front();
  if (e > 1) result.digits += text.substr(2, e - 2);  // the digits between "d." and "e"
  const char* exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, end, result.exponent);
  ++result.exponent;  // d.ddd is 0.dddd x 10
  return result;
}

// True if `value` lies halfway between two decimals with as many places as `decimal` has. A fraction with n binary
// places has exactly n decimal places, the last of which is a 5.
bool is_tie(double value, const Decimal& decimal) {
  const auto [significand, exponent] = binary(value);
  const int binary_places = -(exponent + std::countr_zero(significand));
  return binary_places == static_cast<int>(decimal.digits.size()) - decimal.exponent + 1;
}

}  // namespace

// The algorithm of the standard library differs in two rare cases from the rules in the header. From 2^54 on, a short
// decimal can lie exactly on an end of the interval, which the library includes. In a tie, the library takes the even
// last digit.
Decimal shortest_digits(double value) {
  constexpr double kEndsMayBeShort = 0x1p54;
  if (value == 0) return {"0", 0};
  if (kLiteral || value >= kEndsMayBeShort) return generated_digits(value);
  Decimal result = standard_digits(value);
  return is_tie(value, result) ? generated_digits(value) : result;
}

}  // namespace htools
