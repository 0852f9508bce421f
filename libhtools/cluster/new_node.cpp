#include "cluster/new_node.h"

namespace htools {
namespace {

bool has_exclusive_storage(const Cluster& cluster, GroupIndex group) {
  bool has_nodes = false;
  for (const Node& node : cluster.nodes) {
    if (node.facts->group != group) continue;
    if (!node.facts->exclusive_storage) return false;
    has_nodes = true;
  }
  return has_nodes;
}

}  // namespace

NodeFacts facts_of_new_node(const Cluster& cluster, GroupIndex group, const InstanceSpec& size) {
  NodeFacts facts;
  facts.group = group;
  facts.total_memory = static_cast<double>(size.memory);
  facts.free_memory = size.memory;
  facts.total_disk = static_cast<double>(size.disk_size);
  facts.free_disk = size.disk_size;
  facts.total_cpus = static_cast<double>(size.vcpus);
  facts.spindles = facts.free_spindles = size.spindle_use;
  facts.exclusive_storage = has_exclusive_storage(cluster, group);
  return facts;
}

}  // namespace htools
