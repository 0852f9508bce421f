// What harep tells about repairs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/repair_need.h"
#include "repair/repair_policy.h"
#include "repair/repair_state.h"

namespace htools {

// "Pending repair"
std::string_view shown_name(RepairStage stage);

// "ArFailover"
std::string_view shown_name(RepairType type);

// Why nothing is repaired: "ArNotEnabled", "ArSuspended Forever" or "ArSuspended (Until Wed Jan 13 12:00:00 UTC 2027)",
// a local time, or "(Until @SECONDS)" if it is too late for the system to write.
std::string format_disabled(const RepairPolicy& policy);

// A heading, and a line for each stage that occurs.
std::string format_stage_counts(const std::vector<RepairState>& states);

}  // namespace htools
