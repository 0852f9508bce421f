// Formats the messages of harep about repairs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repair/repair_need.h"
#include "repair/repair_policy.h"
#include "repair/repair_state.h"

namespace htools {

// Returns the name of the stage, for example "Pending repair".
std::string_view shown_name(RepairStage stage);

// Returns the name of the type, for example "ArFailover".
std::string_view shown_name(RepairType type);

// Returns why an instance is not repaired: "ArNotEnabled", "ArSuspended Forever" or "ArSuspended (Until Wed Jan 13
// 12:00:00 UTC 2027)". The time is local; it is shown as "(Until @SECONDS)" if the system cannot format it.
std::string format_disabled(const RepairPolicy& policy);

// Returns a heading, and one line for each stage that occurs.
std::string format_stage_counts(const std::vector<RepairState>& states);

}  // namespace htools
