// The health of a cluster, for programs and for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "survival/health_statistics.h"

namespace htools {

enum class HealthFormat : std::uint8_t { Keys, Sentences };

// Before and after rebalancing.
enum class HealthPhase : std::uint8_t { Initial, Final };

// "HCHECK_GROUP_UUID_0=..." of every group, also of those without nodes.
std::string group_uuid_keys(const Cluster& cluster);

// The counts of a group, up to the one that failed, and the score if none did: a line each, after a heading for people.
std::string health_of_group(const Cluster& cluster, const GroupStatistics& statistics, HealthPhase phase,
                            HealthFormat format);

// The summed counts of all groups and whether the cluster needs rebalancing, likewise. The latter has no line of its
// own but takes that of the first count if there are no groups with nodes.
std::string health_of_cluster(const std::vector<std::int64_t>& counts, bool needs_rebalancing, HealthPhase phase,
                              HealthFormat format);

}  // namespace htools
