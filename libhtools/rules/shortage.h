// What exactly a refused placement lacks: the check that failed, with amounts for people.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/fail_mode.h"

namespace htools {

// The checks of admission.h. "needed" and "available" are what a shortage's amounts mean.
enum class AdmissionLimit : std::uint8_t {
  Memory,                // MiB needed, MiB free
  Disk,                  // MiB needed, MiB free
  KeptDisk,              // MiB needed, MiB free beyond what is kept free
  FreeSpindles,          // spindles needed (none: unknown), spindles free
  SpindleRatio,          // spindles used, spindles that the policy's ratio leaves
  VcpuRatio,             // virtual cpus needed, virtual cpus that the policy's ratio leaves
  Reservation,           // MiB needed, MiB free beyond the memory reserved for failovers
  SecondaryMemory,       // MiB of memory to reserve, MiB free
  SecondaryReservation,  // MiB reserved afterwards, MiB free
  ExclusionTags,         // exclusion tags of the instance, those of them that another primary has
  NoSecondary,           // no amounts: the template has no secondary
  Template,              // no amounts: the template is not in the policy
  // The policy's bounds: what the instance has (none: unknown), the bound.
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

// The check that failed, and the amounts it compared.
struct Shortage {
  FailMode mode;
  AdmissionLimit limit;
  std::optional<double> needed;
  std::optional<double> available;
  bool forthcoming = false;  // instances that are planned only are counted as well
};

}  // namespace htools
