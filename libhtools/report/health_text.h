// Formats the health of a cluster, for programs and for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "examine/health_statistics.h"

namespace htools {

// The form of the output: key=value lines for programs, or sentences for people.
enum class HealthFormat : std::uint8_t { Keys, Sentences };

// The time at which the health was measured: before or after rebalancing.
enum class HealthPhase : std::uint8_t { Initial, Final };

// Returns a line "HCHECK_GROUP_UUID_0=..." for every group, including groups without nodes.
std::string group_uuid_keys(const Cluster& cluster);

// Returns one line for each count of a group and one for its score. If a count failed, the lines end before it. For
// people the lines follow a heading.
std::string health_of_group(const Cluster& cluster, const GroupStatistics& statistics, HealthPhase phase,
                            HealthFormat format);

// Returns a line for each count of a group that is not 0, with the names of the nodes or instances behind it. Names the
// first few if there are many.
std::string health_details(const Cluster& cluster, const GroupStatistics& statistics, HealthPhase phase);

// Returns one line for each summed count of all groups, and one that says whether the cluster needs rebalancing. If no
// group has nodes, there are no counts, and the latter has the key and label of the first count. For people the lines
// follow a heading.
std::string health_of_cluster(const std::vector<std::int64_t>& counts, bool needs_rebalancing, HealthPhase phase,
                              HealthFormat format);

}  // namespace htools
