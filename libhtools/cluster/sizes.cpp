#include "cluster/sizes.h"

namespace htools {

ClusterSizes sizes_of(const Cluster& cluster) {
  ClusterSizes sizes;
  for (const Node& node : cluster.nodes) {
    const NodeFacts& n = *node.facts;
    sizes.nodes.push_back({n.name, cluster.group(n.group).name, n.total_memory, n.total_disk, n.total_cpus});
  }
  for (const Instance& instance : cluster.instances) {
    const InstanceFacts& i = *instance.facts;
    sizes.instances.push_back({i.name, static_cast<double>(i.memory), static_cast<double>(i.disk),
                               static_cast<double>(i.vcpus), std::string(facts(i.disk_template).name)});
  }
  return sizes;
}

}  // namespace htools
