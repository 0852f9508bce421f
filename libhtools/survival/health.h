// What is wrong with the nodes of a group before anything is moved.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "rules/fail_mode.h"

namespace htools {

// What is wrong in a group, by the N+1 rule.
struct GroupHealth {
  std::vector<NodeIndex> bad_nodes;          // online, and a failover to them may not find enough memory (N+1)
  std::vector<InstanceIndex> bad_instances;  // those that have a bad node, in index order
  std::vector<NodeIndex> other_nodes;        // offline or good ones; also bad ones for which some value is not a number
};

GroupHealth group_health(const Cluster& cluster, const GroupMembers& members);

// Which ratio of the instance policy a node exceeds: Disk for that of spindles, Cpu for that of vcpus. The speed of
// cpus does not count.
std::optional<FailMode> policy_violation(const Node& node);

}  // namespace htools
