// Plans that let more instances of a size fit.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Makes the moves after which most further instances of the size fit, as hspace counts them (--defragment).
Made defragmented(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
