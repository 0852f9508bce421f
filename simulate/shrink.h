// How tiered allocation makes an instance size smaller: by one unit of what was missing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rules/fail_mode.h"
#include "simulate/simulation.h"

namespace htools {

// A resource of which a size can have less.
struct ShrinkableResource {
  FailMode missing;
  std::int64_t SimulatedSize::*amount;
  std::int64_t unit;  // also the least amount that may be left
};

inline constexpr std::array kShrinkableResources{
    ShrinkableResource{FailMode::Memory, &SimulatedSize::memory, 64},
    ShrinkableResource{FailMode::Disk, &SimulatedSize::disk, 256},
    ShrinkableResource{FailMode::Cpu, &SimulatedSize::vcpus, 1},
    ShrinkableResource{FailMode::Spindles, &SimulatedSize::spindles, 1},
};

// The position in the table of what is shrunk for this reason; nothing if no shrinking helps.
std::optional<std::size_t> shrinkable_resource(FailMode missing);

// How often the resource can be reduced by its unit.
std::int64_t possible_reductions(const SimulatedSize& size, std::size_t resource);

// The size with the resource reduced by `units` units; nothing if that is not possible.
std::optional<SimulatedSize> reduced(SimulatedSize size, std::size_t resource, std::int64_t units);

}  // namespace htools
