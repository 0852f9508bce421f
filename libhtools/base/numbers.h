// Reads decimal integers and doubles strictly, and has the integer arithmetic of the model.
//
//   number := blank* ['-' blank*] token
//   token  := DIGITS ['.' DIGITS] [('e'|'E') ['+'|'-'] DIGITS]          for doubles also 'NaN' and 'Infinity'
//
// The token is the longest one possible, and an integer is a token without fraction and exponent: "1.5" and "1e3" are
// not integers, "1." is the integer 1 with the leftover ".". A blank is any ASCII white space. Nothing depends on the
// locale.
//
// Errors (InputError), for the text S of OWNER (the thing that the number belongs to: the name of a node, an option):
//   OWNER: cannot parse string 'S'                         there is no number at the start (also for empty text)
//   OWNER: leftover characters when parsing 'S': 'REST'    something follows the number, even if only a blank
//   OWNER: number out of the 64-bit range: 'S'             integers only
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace htools {

// Returns the integer that `text` consists of. Throws InputError as listed above, and so does parse_double().
std::int64_t parse_int(std::string_view text, std::string_view owner);

// Returns the double that `text` consists of, correctly rounded: a number that is too large becomes an infinity, one
// that is too small becomes zero.
double parse_double(std::string_view text, std::string_view owner);

// The integer at the start of a text, and the text after it.
struct IntPrefix {
  std::optional<std::int64_t> value;  // empty if the integer is out of the 64-bit range
  std::string_view rest;
};

// Reads the integer at the start of `text`. Returns nothing if there is none.
std::optional<IntPrefix> read_int_prefix(std::string_view text);

// Return the double as an integer, rounded toward zero and toward minus infinity. Truncation makes -2^63 of NaN and of
// values out of range. The floor of a negative value out of range is one less, which wraps around to 2^63 - 1.
inline std::int64_t truncate_to_int(double value) {
  // The condition is also false for NaN. The upper limit is the first double that is out of range.
  return value >= -0x1p63 && value < 0x1p63 ? static_cast<std::int64_t>(value)
                                            : std::numeric_limits<std::int64_t>::min();
}
std::int64_t floor_to_int(double value);

// Returns a / b rounded toward minus infinity. b must not be 0, and the quotient must be in range (not -2^63 / -1).
std::int64_t floor_div(std::int64_t a, std::int64_t b);

}  // namespace htools
