// The content of documents of the kind htools.repairs/1: which instances need repairs, and what was done.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "document/error_content.h"
#include "repair/repair_need.h"
#include "repair/repair_state.h"

namespace htools {

// What was done about an instance.
enum class RepairAction : std::uint8_t {
  Concluded,     // its repair has ended, and its tags say how
  Started,       // a repair was started
  NotPermitted,  // it needs a stronger repair than its tags permit, and its tags say so now
  NotEnabled     // its tags permit no repairs, or none at present
};

// An instance that needs a repair or has had one.
struct RepairedInstance {
  InstanceIndex instance;
  RepairStage before = RepairStage::Healthy;
  RepairStage after = RepairStage::Healthy;
  std::optional<RepairMethod> needed = {};  // the repair that it needs now
  std::vector<RepairAction> actions = {};   // none if it needs no repair, or if its repair is under way or has failed
  std::vector<std::int64_t> jobs = {};      // that repair it
};

// What was done about all instances. The jobs of a dry run are not submitted.
struct RepairContent {
  bool dry_run = false;
  std::vector<RepairedInstance> instances = {};  // those that are not simply healthy, in index order
  std::vector<RepairStage> stages = {};          // of all instances
  std::optional<DocumentError> error = {};       // what has stopped the repairs
};

}  // namespace htools
