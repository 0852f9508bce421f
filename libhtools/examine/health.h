// Finds the problems of a node group: nodes that are not N+1 safe, and nodes that exceed the instance policy.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/refusal.h"

namespace htools {

// The nodes and instances of a group, judged by the N+1 rule: each node must have enough memory for a failover.
struct GroupHealth {
  std::vector<NodeIndex> bad_nodes;          // online nodes where a failover may not find enough memory
  std::vector<InstanceIndex> bad_instances;  // those with a bad primary or secondary, in index order
  std::vector<NodeIndex> other_nodes;        // the nodes that are not bad; also bad ones if one of their values is NaN
};

// Judges the nodes of one group.
GroupHealth group_health(const Cluster& cluster, const GroupMembers& members);

// Returns the ratio of the instance policy that the node exceeds: Disk for the spindle ratio, Cpu for the vcpu ratio;
// nothing if it exceeds none. The speed of cpus does not count.
std::optional<FailMode> policy_violation(const Node& node);

}  // namespace htools
