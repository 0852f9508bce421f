// Packs instances into the free memory of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace htools {

// Says whether the item may go to the bin at all, whatever its size. Empty: every item may go everywhere.
using MayGo = std::function<bool(std::size_t item, std::size_t bin)>;

// Returns a bin for each item, such that some memory of each bin is left, or nothing for an item without one. Finds
// bins for all items if there are any, except in large cases that are very tight: the search ends after a fixed effort.
std::vector<std::optional<std::size_t>> pack(const std::vector<std::int64_t>& items, std::vector<std::int64_t> bins,
                                             const MayGo& may_go = {});

}  // namespace htools
