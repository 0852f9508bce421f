// Formats doubles as decimal text.
//
// Every form starts from the shortest decimal digits that identify the double. If it rounds, it rounds those digits
// (half to even), not the binary value. So 0.0025 with three decimals is "0.002" and 203/200 with two is "1.02", where
// printf gives "0.003" and "1.01"; digits after the shortest ones are zeros.
//
// In every form the special values are "NaN", "Infinity" and "-Infinity", and a negative value or negative zero keeps
// its sign when it rounds to zero ("-0.000"). Nothing depends on the locale. There are no errors.
#pragma once

#include <string>

namespace htools {

// Returns the form of "%.Nf": `decimals` (>= 0) digits after the point, and no point if `decimals` is 0.
std::string format_fixed(double value, int decimals);

// Returns the form of "%W.Nf": the same, right-aligned with spaces to `width` (>= 0) characters. Special values are
// aligned like any text.
std::string format_fixed(double value, int width, int decimals);

// Returns the form of "%f" without precision: all digits, never an exponent, and at least one digit on each side of the
// point ("1.0", "0.01").
std::string format_plain(double value);

// Returns the form in which policies show ratios: like format_plain() for zero and for 0.1 <= |value| < 10^7, otherwise
// with an exponent and at least one digit after the point ("5.0e-2", "1.23456789e7").
std::string format_show(double value);

// Returns the form of "%.Ng": `decimals` (>= 1) digits after the point, without or with an exponent in the same ranges
// as format_show() ("9999999.000000", "1.234568e7").
std::string format_general(double value, int decimals);

}  // namespace htools
