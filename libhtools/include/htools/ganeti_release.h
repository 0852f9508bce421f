// The releases of Ganeti whose answers differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace htools {

// A release of Ganeti, as far as its rules differ from those of the one before. From 3.1 on, a node that is loaded
// fails N+1 if the memory that is free, or would be if nothing unknown used any, is not more than what it reserves.
// Until 3.0, only the reported free memory counts, and it may be equal.
enum class GanetiRelease : std::uint8_t { V30, V31 };

// The names of the releases.
inline constexpr std::array<std::string_view, 2> kGanetiReleases{"3.0", "3.1"};
constexpr std::string_view name(GanetiRelease release) { return kGanetiReleases[static_cast<std::size_t>(release)]; }

}  // namespace htools
