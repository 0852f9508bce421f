// Reads from the tags of an instance how far its automatic repair has come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/instance.h"
#include "repair/repair_record.h"

namespace htools {

// The stages of a repair, in the order in which reports list them.
enum class RepairStage : std::uint8_t {
  Failed,  // an administrator must examine the instance and remove the tag
  Healthy,
  NeedsRepair,  // it needs a repair of a type that is not allowed
  Pending
};

// The stage of an instance's repair, and the tags that record it.
struct RepairState {
  RepairStage stage = RepairStage::Healthy;
  std::optional<RepairRecord> pending;  // the content of the tag of a pending repair
  std::vector<std::string> tags;        // the tags that the next change replaces, the newest first
};

// Returns the stage of an instance whose last repair has this record.
RepairStage stage_of(const RepairRecord& record);

// Returns the state that the tags of the instance record. Repairs are taken in the order of their oldest tags. Of the
// tags of one repair the one with the worst result counts, and of several such tags the newest. Repairs after a failed
// one are ignored. Throws InputError if there is a repair after a pending one.
RepairState read_repair_state(const Instance& instance);

}  // namespace htools
