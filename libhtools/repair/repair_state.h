// How far the automatic repair of an instance has come, as the instance's tags tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/instance.h"
#include "repair/repair_record.h"

namespace htools {

// The order of reports.
enum class RepairStage : std::uint8_t {
  Failed,  // an administrator has to look after it, and take away the tag
  Healthy,
  NeedsRepair,  // of a type that is not allowed
  Pending
};

// How far an instance's repair has come.
struct RepairState {
  RepairStage stage = RepairStage::Healthy;
  std::optional<RepairRecord> pending;  // what the tag of a pending repair says
  std::vector<std::string> tags;        // those that the next change replaces, the newest first
};

// Of an instance whose last repair is this one.
RepairStage stage_of(const RepairRecord& record);

// Repairs count in the order of their oldest tags. Of a repair's tags the one with the worst result counts, of these
// the newest. Nothing comes after a failure. Throws InputError if something comes after a pending repair.
RepairState read_repair_state(const Instance& instance);

}  // namespace htools
