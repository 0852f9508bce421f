// The names and sizes of nodes and instances, by which it can be said in what two clusters differ.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// The name and size of a node. Amounts are in MiB.
struct NodeSize {
  std::string name;
  std::string group;
  double memory = 0.0;
  double disk = 0.0;
  double cpus = 0.0;
};

// The name and size of an instance. Amounts are in MiB.
struct InstanceSize {
  std::string name;
  double memory = 0.0;
  double disk = 0.0;
  double vcpus = 0.0;
  std::string disk_template;
};

// Those of all nodes and instances, in their order.
struct ClusterSizes {
  std::vector<NodeSize> nodes;
  std::vector<InstanceSize> instances;
};
ClusterSizes sizes_of(const Cluster& cluster);

}  // namespace htools
