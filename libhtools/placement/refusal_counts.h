// Counts which rules refuse an instance on how many candidates: the failure statistics of a placement in more detail.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "htools/refusal.h"
#include "placement/candidates.h"

namespace htools {

// How many candidates a rule refuses.
struct RuleRefusals {
  AdmissionLimit rule;
  FailMode mode;  // by which the failure statistics count them
  std::int64_t count = 0;
};

// Returns the counts of the rules that refuse some candidate, in the order of the rules. By mode, they add up to the
// failures of count_outcomes() (placement/failure_counts.h).
std::vector<RuleRefusals> count_refusals(const Cluster& cluster, const Candidates& candidates,
                                         const Instance& instance);

// Returns the failures that the counts add up to.
FailCounts failures_of(const std::vector<RuleRefusals>& refusals);

}  // namespace htools
