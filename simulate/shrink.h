// Makes an instance size smaller for tiered allocation: by one unit of the resource that was missing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "htools/refusal.h"
#include "simulate/simulation.h"

namespace htools {

// A resource that a size can have less of.
struct ShrinkableResource {
  FailMode missing;  // the failure that shrinking it may avoid
  std::int64_t SimulatedSize::*amount;
  std::int64_t unit;  // the step of a reduction, and the smallest amount that may be left
};

inline constexpr std::array kShrinkableResources{
    ShrinkableResource{FailMode::Memory, &SimulatedSize::memory, 64},
    ShrinkableResource{FailMode::Disk, &SimulatedSize::disk, 256},
    ShrinkableResource{FailMode::Cpu, &SimulatedSize::vcpus, 1},
    ShrinkableResource{FailMode::Spindles, &SimulatedSize::spindles, 1},
};

// Returns the position in the table of the resource to shrink after this failure, or nothing if shrinking does not
// help.
std::optional<std::size_t> shrinkable_resource(FailMode missing);

// Returns how often the resource can be reduced by its unit.
std::int64_t possible_reductions(const SimulatedSize& size, std::size_t resource);

// Returns the size with the resource reduced by `units` units, or nothing if that is not possible.
std::optional<SimulatedSize> reduced(SimulatedSize size, std::size_t resource, std::int64_t units);

}  // namespace htools
