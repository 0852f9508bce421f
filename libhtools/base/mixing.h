// Spreads numbers that are close to each other over all numbers of 64 bits.
#pragma once

#include <cstdint>

namespace htools {

// What a sequence of numbers that is to be mixed advances by: 2^64 divided by the golden ratio, an odd number.
inline constexpr std::uint64_t kMixingStep = 0x9e3779b97f4a7c15u;

// Returns another number for each number. (The finaliser of SplitMix64: Steele, Lea and Flood, 2014.)
constexpr std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

}  // namespace htools
