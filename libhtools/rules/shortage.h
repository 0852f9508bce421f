// Defines the details of a refused placement, for people: the check that failed, and the amounts that it compared.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/fail_mode.h"

namespace htools {

// The checks of admission.h. The comments give the meaning of the two amounts of a Shortage: "needed; available".
enum class AdmissionLimit : std::uint8_t {
  Memory,                // MiB of memory that the instance uses; MiB free
  Disk,                  // MiB of disk that the instance uses; MiB free
  KeptDisk,              // MiB of disk that the instance uses; MiB free beyond the part that must stay free
  FreeSpindles,          // spindles of the instance's disks (empty if unknown); spindles free
  SpindleRatio,          // spindle use of the instance; spindles that the policy's ratio leaves
  VcpuRatio,             // vcpus of the instance; vcpus that the policy's ratio leaves
  Reservation,           // MiB of memory that the instance uses; MiB free beyond those reserved for failovers
  SecondaryMemory,       // MiB of memory to reserve for the instance; MiB free
  SecondaryReservation,  // MiB reserved for failovers after the placement; MiB free
  ExclusionTags,         // exclusion tags of the instance; those of them that primaries of the node have
  NoSecondary,           // no amounts; the disk template has no secondary
  Template,              // no amounts; the policy does not allow the disk template
  // The bounds of the policy: the value of the instance (empty if unknown); the bound.
  MinMemory,
  MaxMemory,
  MinDisk,
  MaxDisk,
  MinVcpus,
  MaxVcpus,
  MinSpindles,
  MaxSpindles,
  MinDiskCount,
  MaxDiskCount
};

// The check that failed, and the amounts that it compared.
struct Shortage {
  FailMode mode;
  AdmissionLimit limit;
  std::optional<double> needed;
  std::optional<double> available;
  bool forthcoming = false;  // true if the check also counted forthcoming (planned, not yet created) instances
};

}  // namespace htools
