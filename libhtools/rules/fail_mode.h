// Why a placement was refused. A refusal is a value, never an exception.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace htools {

enum class FailMode : std::uint8_t {
  Memory,     // not enough memory, or the N+1 reservation would no longer be covered
  Disk,       // not enough disk, below the reserved disk, too many spindles in use, or template not allowed
  Cpu,        // vcpu ratio or vcpu bounds of the policy
  N1,         // the cluster would no longer survive the loss of a node
  Tags,       // an exclusion tag is already present
  Migration,  // migration tags do not allow it
  DiskCount,  // number of disks outside the policy
  Spindles,   // spindles outside the policy, missing or used up
  Internal    // should not happen
};

inline constexpr std::size_t kFailModeCount = 9;
inline constexpr std::array<std::string_view, kFailModeCount> kFailModeNames{
    "FailMem", "FailDisk", "FailCPU", "FailN1", "FailTags", "FailMig", "FailDiskCount", "FailSpindles", "FailInternal"};

constexpr std::string_view name(FailMode mode) { return kFailModeNames[static_cast<std::size_t>(mode)]; }

// Number of refused candidates per mode, in the order of the enumeration.
struct FailCounts {
  std::array<std::int64_t, kFailModeCount> count{};

  std::int64_t& operator[](FailMode mode) { return count[static_cast<std::size_t>(mode)]; }
  std::int64_t operator[](FailMode mode) const { return count[static_cast<std::size_t>(mode)]; }
  bool operator==(const FailCounts&) const = default;
};

}  // namespace htools
