// How many random cases the tests try.
//
// The environment variable HTOOLS_PROPERTY_SCALE is a factor of what each test tries in full: 1 tries all of it, 0.1
// (if it is not set) a tenth, 10 ten times as much.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>

namespace htools::testing {

// The factor; above 0.
inline double property_scale() {
  static const double scale = [] {
    const char* text = std::getenv("HTOOLS_PROPERTY_SCALE");
    return text == nullptr ? 0.1 : std::strtod(text, nullptr);
  }();
  return scale;
}

// The number of cases to try of `full` ones, at least one.
template <std::integral Count>
Count scaled(Count full) {
  return std::max<Count>(1, static_cast<Count>(std::llround(property_scale() * static_cast<double>(full))));
}

// What a tally over all cases must exceed if it exceeds `full` in full. Chance weighs more in fewer cases, of which
// half as much is asked.
template <std::integral Count>
Count scaled_tally(Count full) {
  const double share = property_scale() < 1 ? 0.5 * property_scale() : property_scale();
  return static_cast<Count>(share * static_cast<double>(full));
}

}  // namespace htools::testing
