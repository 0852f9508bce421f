// Counts which candidates can take an instance, and why the others cannot: the failure statistics of a placement.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"
#include "htools/refusal.h"
#include "placement/candidates.h"
#include "rules/admission.h"

namespace htools {

// The numbers of candidates that can take an instance, and of those that cannot, by reason. Candidates are nodes or, if
// the disk template needs a secondary, ordered pairs of nodes.
struct OutcomeCounts {
  std::int64_t successes = 0;
  FailCounts failures;
};

// Returns the counts for all candidates.
OutcomeCounts count_outcomes(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

// Returns the reason why `node` cannot take the new instance as primary, policy included, or nothing if it can. `after`
// are the books of the node with the instance.
std::optional<FailMode> refusal_as_primary(const Cluster& cluster, const Node& node, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules = {});

// True if the node can take the new instance as primary, or as the secondary of `primary`.
bool possible_as_primary(const Cluster& cluster, NodeIndex node, const Instance& instance);
bool possible_as_secondary(const Cluster& cluster, NodeIndex node, const Instance& instance, NodeIndex primary);

}  // namespace htools
