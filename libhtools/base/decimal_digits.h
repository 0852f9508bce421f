// The shortest decimal digits of a double, from which every printed number is made (base/decimal.h).
#pragma once

#include <string>

namespace htools {

// The number 0.d1d2...dn x 10^exponent, with d1 != 0 unless the number is zero (digits "0", exponent 0).
struct Decimal {
  std::string digits;
  int exponent = 0;
};

// The shortest digits that identify `value` (finite, >= 0) among all doubles, and of those the nearest to it. A decimal
// on the very end of the interval of numbers that round to `value` does not count: 1e23 is 0.9999999999999999 x 10^23.
// Of two equally near decimals the greater one is taken: 2^50 + 1/4 ends in .3.
Decimal shortest_digits(double value);

}  // namespace htools
