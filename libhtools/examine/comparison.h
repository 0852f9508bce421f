// Compares two states of a cluster by the names of its elements.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// An instance that is in both states.
struct ComparedInstance {
  InstanceIndex now;    // in the cluster
  InstanceIndex other;  // in the other state
};

// A node that is in both states.
struct ComparedNode {
  NodeIndex now;
  NodeIndex other;
};

// What differs between the cluster and another state.
struct StateComparison {
  std::vector<ComparedNode> nodes;          // that are in both
  std::vector<NodeIndex> only_now_nodes;    // of the cluster
  std::vector<NodeIndex> only_other_nodes;  // of the other state
  std::vector<ComparedInstance> moved;      // other nodes, by their names
  std::vector<ComparedInstance> resized;    // another amount of memory, disk or cpus
  std::vector<InstanceIndex> only_now;      // of the cluster
  std::vector<InstanceIndex> only_other;    // of the other state
};

// Compares the instances and nodes of the cluster with those of another state.
StateComparison compare_states(const Cluster& cluster, const Cluster& other);

}  // namespace htools
