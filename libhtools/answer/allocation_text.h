// Describes the result of an allocation in sentences, as Ganeti shows it to the user.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"

namespace htools {

// Returns a description of the allocation within one group: "score: 2.38205920, successes 12, failures 1 (FailMem: 1)
// for node(s) a4/a1". With exclusive storage it begins with "score: ([0,1],20490), ...": the allocations lost and the
// disk left (MiB). Without a place: "No valid allocation solutions, failure reasons: FailMem: 4".
std::string describe(const Cluster& cluster, const Allocation& allocation);

// The instance to be placed, for messages that name it.
struct Applicant {
  std::string_view instance;                // the full name of the instance
  const std::optional<std::string>& group;  // the group as the request names it
};

// Returns a description of the whole answer. For a request that names a group: "Group alpha (preferred): " and the
// description of the allocation. For any group: the lines of all groups, after "Selected group: alpha" if there is a
// place.
std::string describe(const Cluster& cluster, const AllocationAnswer& answer, const Applicant& applicant);

// Returns the full names of the nodes, primary first.
std::vector<std::string> node_names(const Cluster& cluster, const Placement& placement);

}  // namespace htools
