// Defines the kinds of reasons for refusing a placement, and counts of them. A refusal is a value, never an exception.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace htools {

// The kind of check that refuses a placement. Shortage (shortage.h) has the details.
enum class FailMode : std::uint8_t {
  Memory,     // not enough memory, memory outside the policy, or not enough left for the memory reserved for failovers
  Disk,       // not enough disk, disk size outside the policy, too many spindles in use, or unsuitable disk template
  Cpu,        // too many vcpus for the vcpu ratio, or vcpus outside the policy
  N1,         // the cluster would no longer survive the loss of a node
  Tags,       // a primary of the node already has one of the exclusion tags
  Migration,  // migration tags forbid the move
  DiskCount,  // number of disks outside the policy
  Spindles,   // spindles outside the policy, unknown, or used up
  Internal    // never occurs; part of the specified output
};

inline constexpr std::size_t kFailModeCount = 9;
// The names of the modes in the specified output, in the order of the enumeration.
inline constexpr std::array<std::string_view, kFailModeCount> kFailModeNames{
    "FailMem", "FailDisk", "FailCPU", "FailN1", "FailTags", "FailMig", "FailDiskCount", "FailSpindles", "FailInternal"};

constexpr std::string_view name(FailMode mode) { return kFailModeNames[static_cast<std::size_t>(mode)]; }

// The number of refused candidates per mode.
struct FailCounts {
  std::array<std::int64_t, kFailModeCount> count{};

  std::int64_t& operator[](FailMode mode) { return count[static_cast<std::size_t>(mode)]; }
  std::int64_t operator[](FailMode mode) const { return count[static_cast<std::size_t>(mode)]; }
  bool operator==(const FailCounts&) const = default;
};

}  // namespace htools
