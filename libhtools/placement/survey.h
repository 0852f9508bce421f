// What would happen on every candidate if an instance were placed there: the failure statistics of a placement.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"
#include "placement/candidates.h"
#include "rules/admission.h"
#include "rules/fail_mode.h"

namespace htools {

// Candidates are nodes, or ordered pairs of nodes for templates with a secondary.
struct Survey {
  std::int64_t successes = 0;
  FailCounts failures;
};

Survey survey(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

// Why `node` cannot take the new instance as primary, policy included; nothing if it can.
std::optional<FailMode> refusal_as_primary(const Cluster& cluster, const Node& node, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules = {});

bool possible_as_primary(const Cluster& cluster, NodeIndex node, const Instance& instance);
bool possible_as_secondary(const Cluster& cluster, NodeIndex node, const Instance& instance, NodeIndex primary);

}  // namespace htools
