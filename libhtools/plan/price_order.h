// How prices of plans are compared: one function, with two orders.
#pragma once

#include <array>
#include <cstdint>

namespace htools {

// What comes first: the copied disk, then the number of moves; or the number of moves, then the copied disk. The
// migrated memory is last in both.
enum class PriceOrder : std::uint8_t { Cheapest, Fewest };

// A price such that the lower of two is the better one. Copied disk and migrated memory are in MiB.
using PriceRank = std::array<std::int64_t, 3>;
constexpr PriceRank price_rank(PriceOrder order, std::int64_t copied, std::int64_t moves, std::int64_t migrated) {
  return order == PriceOrder::Cheapest ? PriceRank{copied, moves, migrated} : PriceRank{moves, copied, migrated};
}

}  // namespace htools
