// Formats placement rules as text for people.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "explain/rule_explanation.h"

namespace htools {

// Returns a table of all rules, what breaks them, which contradict each other, and which instances are bound. Lists all
// names only if `in_full` is set.
std::string rules_text(const Cluster& cluster, const RuleExplanation& explanation, bool in_full);

}  // namespace htools
