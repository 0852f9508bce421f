// Draws numbers for searches. The same seed gives the same numbers on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/mixing.h"

namespace htools {

// A sequence of random numbers (SplitMix64: Steele, Lea and Flood, 2014). It uses only operations whose results the
// standards define to the last bit. With the generators of the standard library, walks take a tenth longer.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  // Returns a number below `count`, which must be above 0 and below 2^32.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(((next() >> 32) * count) >> 32); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(list.size())];
  }
  // Returns an exponentially distributed number with mean 1, one of some quantiles.
  double exponential() { return kExponential[below(kExponential.size())]; }

 private:
  static constexpr double kLn2 = 0.6931471805599453;
  // Returns -ln(u) for u = 2^-e * m, with 1/2 <= m < 1.
  static constexpr double minus_ln(double m) {
    double result = 0.0;
    while (m < 0.5) {
      m *= 2.0;
      result += kLn2;
    }
    // ln m = 2 atanh(z) with |z| <= 1/3.
    const double z = (m - 1.0) / (m + 1.0), z2 = z * z;
    const double series = 1.0 + z2 * (1.0 / 3 + z2 * (1.0 / 5 + z2 * (1.0 / 7 + z2 * (1.0 / 9 + z2 * (1.0 / 11)))));
    return result - 2.0 * z * series;
  }
  static constexpr std::array<double, 1024> quantiles() {
    std::array<double, 1024> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = minus_ln((static_cast<double>(i) + 0.5) / static_cast<double>(all.size()));
    }
    return all;
  }
  static const std::array<double, 1024> kExponential;
  std::uint64_t next() { return mixed(state_ += kMixingStep); }
  std::uint64_t state_;
};

inline constexpr std::array<double, 1024> Draws::kExponential = Draws::quantiles();

}  // namespace htools
