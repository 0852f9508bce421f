// Plans that mend what is broken, and move nothing else.
#pragma once

#include <string>
#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"
#include "trial/trial.h"

namespace htools {

// Cures what is wrong with each group by the fewest moves that are found, and names what stays.
Made repaired(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

// Returns a sentence about the binding rules that are broken, after a plan that is not for them; nothing if none is.
std::vector<std::string> broken_rule_remarks(const Cluster& after);

}  // namespace htools
