// Finds the settings of an instance policy by which instances would be within it.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "explain/finding.h"
#include "htools/policy.h"

namespace htools {

// Widens the policy of the group until the instance is within it. Adds the settings that this takes, in place of
// earlier ones of the same name. Returns false if no setting helps.
bool widen(InstancePolicy& policy, GroupIndex group, const Instance& instance, bool exclusive_storage,
           std::vector<Setting>& settings);

// Returns the setting of a ratio, rounded up to two decimals; nothing if it is not finite.
std::optional<Setting> ratio_setting(AdmissionLimit limit, LimitOwner owner, GroupIndex group, double ratio);

}  // namespace htools
