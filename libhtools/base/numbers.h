// Numbers in: strict reading of decimal integers and doubles, and the integer arithmetic of the model.
//
//   number := blank* ['-' blank*] token
//   token  := DIGITS ['.' DIGITS] [('e'|'E') ['+'|'-'] DIGITS]          for doubles also 'NaN' and 'Infinity'
//
// The token is the longest one possible, and an integer is a token without fraction and exponent: "1.5" and "1e3" are
// no integers, "1." is the integer 1 with the leftover ".". A blank is any ASCII white space. Nothing depends on the
// locale.
//
// Errors (InputError), for the text S of OWNER (what the number belongs to: a node's name, an option):
//   OWNER: cannot parse string 'S'                         there is no number at the start (also for empty text)
//   OWNER: leftover characters when parsing 'S': 'REST'    something follows the number, be it a blank
//   OWNER: number out of the 64-bit range: 'S'             integers only
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace htools {

std::int64_t parse_int(std::string_view text, std::string_view owner);

// Correctly rounded; too large a number is an infinity, too small a one is zero.
double parse_double(std::string_view text, std::string_view owner);

// The integer at the start of a text, and what follows it.
struct IntPrefix {
  std::optional<std::int64_t> value;  // empty if the integer is out of the 64-bit range
  std::string_view rest;
};

// Empty if no integer is at the start of `text`.
std::optional<IntPrefix> read_int_prefix(std::string_view text);

// Doubles as integers: toward zero, and toward minus infinity. NaN and values out of range give -2^63 when truncated;
// the floor of a negative value out of range is one less, and wraps around to 2^63 - 1.
std::int64_t truncate_to_int(double value);
std::int64_t floor_to_int(double value);

// a / b rounded toward minus infinity; b is not 0, and the quotient is in range (not -2^63 / -1).
std::int64_t floor_div(std::int64_t a, std::int64_t b);

}  // namespace htools
