// Says when what is copied while a plan is carried out, wave by wave.
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/cluster.h"
#include "plan/copying.h"
#include "plan/plan.h"

namespace htools {

// A copy, and when it is made. The times are seconds from the start of the plan.
struct TimedTransfer {
  std::size_t step = 0;  // number of the step that it is a part of
  Transfer transfer;
  double from = 0.0;
  double to = 0.0;
};

// Returns the copies of a plan. A step starts when its wave does, its copies come one after the other, and all copies
// of the wave share the rates of the nodes (copying.h).
std::vector<TimedTransfer> timeline_of(const Cluster& cluster, const Plan& plan, const CopyRules& rules);

}  // namespace htools
