// An instance policy in one line.
#pragma once

#include <string>
#include <string_view>

#include "cluster/policy.h"

namespace htools {

// The policy as a nested record, "IPolicy {iPolicyMinMaxISpecs = [...], ...}", without a line feed.
std::string format_policy(const InstancePolicy& policy);

// A disk template as it is named there: "DTPlain".
std::string_view template_text(DiskTemplate disk_template);

}  // namespace htools
