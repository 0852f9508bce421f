#include "base/random_id.h"

#include <fmt/format.h>

#include <cstdint>
#include <random>

namespace htools {

std::string random_id() {
  std::random_device source;
  const auto draw = [&](std::uint32_t mask) { return static_cast<std::uint32_t>(source()) & mask; };
  const std::uint32_t first = draw(0xFFFFFFFF);
  const std::uint32_t second = draw(0xFFFF);
  const std::uint32_t third = draw(0x0FFF) | 0x4000;   // the bits of the UUID version: 4
  const std::uint32_t fourth = draw(0x3FFF) | 0x8000;  // the bits of the UUID variant
  const std::uint32_t fifth = draw(0xFFFF);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", first, second, third, fourth, fifth, draw(0xFFFFFFFF));
}

}  // namespace htools
