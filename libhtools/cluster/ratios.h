// Defines the ratio of policies that limit nothing.
#pragma once

namespace htools {

// A ratio of vcpus or spindles that no number of instances reaches.
inline constexpr double kNoRatio = 1e6;

}  // namespace htools
