// Defines how many random cases the tests try.
//
// The environment variable HTOOLS_PROPERTY_SCALE is a factor of the full number of cases of each test: 1 tries all of
// them, 0.1 (the default) a tenth, 10 ten times as many.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>

namespace htools::testing {

// Returns the factor, which must be positive.
inline double property_scale() {
  static const double scale = [] {
    const char* text = std::getenv("HTOOLS_PROPERTY_SCALE");
    return text == nullptr ? 0.1 : std::strtod(text, nullptr);
  }();
  return scale;
}

// Returns the number of cases to try if `full` is the full number: at least one.
template <std::integral Count>
Count scaled(Count full) {
  return std::max<Count>(1, static_cast<Count>(std::llround(property_scale() * static_cast<double>(full))));
}

// Returns the bound that a tally over all tried cases must exceed, where `full` is the bound for the full number of
// cases. With fewer cases, chance has more influence, so the bound is halved.
template <std::integral Count>
Count scaled_tally(Count full) {
  const double share = property_scale() < 1 ? 0.5 * property_scale() : property_scale();
  return static_cast<Count>(share * static_cast<double>(full));
}

}  // namespace htools::testing
