// Examines the state of a cluster: which nodes and instances have problems, and the score.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "htools/cluster.h"
#include "htools/refusal.h"
#include "htools/score.h"

namespace htools {

// A node that exceeds a ratio of the policy of its group: FailMode::Disk for the spindle ratio, FailMode::Cpu for the
// vcpu ratio.
struct PolicyViolation {
  NodeIndex node;
  FailMode ratio;
};

// The state of one node group.
struct GroupExamination {
  GroupIndex group;
  std::vector<NodeIndex> nodes;                    // in index order
  std::vector<InstanceIndex> instances;            // those whose primary is one of the nodes, in index order
  std::vector<NodeIndex> bad_nodes;                // online nodes where a failover may not find enough memory
  std::vector<InstanceIndex> bad_instances;        // those with a bad primary or secondary, in index order
  std::vector<NodeIndex> other_nodes;              // those that are not bad; also bad ones with a value that is NaN
  std::vector<PolicyViolation> policy_violations;  // of the other nodes
  Score score;                                     // of the nodes of this group alone

  bool is_n1_safe() const { return bad_nodes.empty(); }
};

// The state of a cluster.
struct Examination {
  std::vector<GroupExamination> groups;        // those that have nodes, in index order
  std::vector<InstanceIndex> split_instances;  // those whose two nodes are in different groups; they cannot be balanced
  Score score;                                 // of all nodes

  bool is_n1_safe() const;  // true if each group is
};

Examination examine(const Cluster& cluster);
GroupExamination examine(const Cluster& cluster, GroupIndex group);

// Returns a table with a line for each group, and a line that says whether the cluster is N+1 safe.
std::string to_text(const Cluster& cluster, const Examination& examination);

}  // namespace htools
