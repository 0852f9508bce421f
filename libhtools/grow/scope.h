// Cuts the part out of a cluster that a question is about, and adds nodes to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "htools/policy.h"
#include "htools/refusal.h"

namespace htools {

// Returns the nodes of these groups (by group: true if it belongs to the part) and the instances whose primary is one
// of them, as a cluster. It has all groups of the original, so that their positions stay. An instance whose secondary
// is elsewhere has none in the part.
Cluster part_of(const Cluster& cluster, const std::vector<bool>& groups);

// Returns the position in the cluster of the node at this position in a part of it.
NodeIndex node_of_part(const Cluster& cluster, const Cluster& part, NodeIndex node);

// Returns the refusal in a part of the cluster with the positions that nodes and instances have in the cluster.
// Instances that the part does not have, because they were placed later, stay behind all others.
Refusal refusal_of_part(const Cluster& cluster, const Cluster& part, const Refusal& refusal);

// Returns the reason why the group could not lose one of its nodes as it is; nothing if it can. The cluster must
// consist of this group alone.
std::optional<Homeless> unsafe_node(const Cluster& group);

// Returns the cluster with `count` more nodes of this size in the group, which are empty and online. The policy of the
// group and the options apply to them as if they had been there from the start.
Cluster with_nodes(const Cluster& cluster, GroupIndex group, const InstanceSpec& size, std::size_t count,
                   const NodeOptions& options);

}  // namespace htools
