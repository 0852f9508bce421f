// Formats an instance policy as one line of text.
#pragma once

#include <string>
#include <string_view>

#include "htools/policy.h"

namespace htools {

// Returns the policy as a nested record without a line feed: "IPolicy {iPolicyMinMaxISpecs = [...], ...}".
std::string format_policy(const InstancePolicy& policy);

// Returns the name of a disk template as records show it, for example "DTPlain".
std::string_view template_text(DiskTemplate disk_template);

}  // namespace htools
