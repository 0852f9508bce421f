// Reads sizes with a unit, as written on command lines: "100g", "512", "20 GiB".
//
//   size := integer space* unit       the integer as in base/numbers.h; only U+0020 may stand before the unit
//
//   unit                                       MiB per unit
//   none, m, MiB;  g, GiB;  t, TiB             1;  1024;  1024^2                      (powers of 1024 bytes)
//   M, MB;  G, GB;  T, TB                      (1000/1024)^2, times 1;  1000;  1000^2 (powers of 1000 bytes)
//
// One-letter units are case-sensitive, the longer ones are not.
//
// The rate of a network has the same form, or is an integer of "mbit" or "gbit" (in any case), as people name networks:
// 10^6 or 10^9 bits per second, so that 1gbit is 10^9 / 8 bytes or 119.2 MiB per second.
#pragma once

#include <cstdint>
#include <string_view>

namespace htools {

// Returns the size in MiB, computed exactly and truncated toward zero; it may be negative. Errors (InputError):
//   Can't parse string 'TEXT'                      there is no integer at the start
//   Unknown unit 'UNIT'                            UNIT is everything after the integer and the spaces
//   size out of the 64-bit range: 'TEXT'
std::int64_t parse_size(std::string_view text);

// Returns the rate in MiB per second. Bits are not rounded to whole MiB. Errors are those of parse_size().
double parse_rate(std::string_view text);

}  // namespace htools
