// An instance policy in one line.
#pragma once

#include <string>

#include "cluster/policy.h"

namespace htools {

// The policy as a nested record, "IPolicy {iPolicyMinMaxISpecs = [...], ...}", without a line feed.
std::string format_policy(const InstancePolicy& policy);

}  // namespace htools
