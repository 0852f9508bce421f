// Plans that make room for new instances.
#pragma once

#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"

namespace htools {

// Makes the cheapest moves after which the new instances fit (--make-room).
Made with_room(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

}  // namespace htools
