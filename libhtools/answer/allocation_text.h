// What came of looking for a place, in sentences.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// "score: 2.38205920, successes 12, failures 1 (FailMem: 1) for node(s) a4/a1", or on exclusive storage
// "score: ([0,1],20490), ...". Without a place: "No valid allocation solutions, failure reasons: FailMem: 4".
std::string describe(const Cluster& cluster, const Allocation& allocation);

// For whom the place was looked for.
struct Applicant {
  std::string_view instance;                // full name
  const std::optional<std::string>& group;  // as it was asked for
};

// The whole answer: "Group alpha (preferred): " and the description for a group that was asked for; for any group the
// lines of all of them, after "Selected group: alpha" if there is a place.
std::string describe(const Cluster& cluster, const AllocationAnswer& answer, const Applicant& applicant);

// Names of the nodes, primary first.
std::vector<std::string> node_names(const Cluster& cluster, const Placement& placement);

}  // namespace htools
