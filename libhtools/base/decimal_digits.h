// Computes the shortest decimal digits of a double. All printed numbers are made from them (base/decimal.h).
#pragma once

#include <string>

namespace htools {

// A decimal number: 0.d1d2...dn x 10^exponent, where d1 is not 0 unless the number is zero (digits "0", exponent 0).
struct Decimal {
  std::string digits;
  int exponent = 0;
};

// Returns the shortest digits that identify `value` (finite, >= 0) among all doubles. Of several such decimals it is
// the one nearest to `value`; of two equally near ones, the greater: 2^50 + 1/4 ends in .3. A decimal on the very end
// of the interval of numbers that round to `value` does not identify it: 1e23 is 0.9999999999999999 x 10^23.
Decimal shortest_digits(double value);

}  // namespace htools
