// Makes random draws that are the same in every run.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace htools::testing {

// A source of random draws. It does not use the distributions of the standard library, which differ between
// implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Returns an integer from [low, high], both ends included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  // Returns true with a probability of `percent` percent.
  bool chance(std::int64_t percent) { return between(1, 100) <= percent; }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(engine_() % size); }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[index(values.size())];
  }
  // Returns a number from 0 to 1, in steps of a millionth.
  double fraction() { return static_cast<double>(between(0, 1'000'000)) / 1'000'000.0; }

 private:
  std::mt19937_64 engine_;
};

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
// True if the bits are the same; all NaN count as the same.
inline bool same_score(double a, double b) { return (std::isnan(a) && std::isnan(b)) || same_bits(a, b); }

}  // namespace htools::testing
