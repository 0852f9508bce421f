#include <string>

#include "cluster/cluster.h"
#include "htools/cluster.h"

namespace htools {

std::size_t group_count(const Cluster& cluster) { return cluster.groups.size(); }
std::size_t node_count(const Cluster& cluster) { return cluster.nodes.size(); }
std::size_t instance_count(const Cluster& cluster) { return cluster.instances.size(); }

GroupView view(const Cluster& cluster, GroupIndex index) {
  const Group& group = cluster.group(index);
  return {.index = index,
          .name = group.name,
          .uuid = group.uuid,
          .alloc_policy = std::string(name(group.alloc_policy)),
          .tags = group.tags,
          .policy = group.policy};
}

NodeView view(const Cluster& cluster, NodeIndex index) {
  const Node& node = cluster.node(index);
  return {.index = index,
          .name = node.facts->name,
          .group = node.facts->group,
          .offline = node.offline,
          .cordoned = node.cordoned,
          .total_memory_mib = node.facts->total_memory,
          .free_memory_mib = node.unallocated_memory(),
          .reserved_memory_mib = node.books.reserved_memory,
          .total_disk_mib = node.facts->total_disk,
          .free_disk_mib = node.books.real.free_disk,
          .total_cpus = node.facts->total_cpus,
          .used_vcpus = node.books.real.used_vcpus,
          .max_vcpus = node.facts->max_vcpus,
          .n1_safe = !node.books.n1_failed,
          .tags = node.facts->tags.texts(),
          .primaries = node.primaries,
          .secondaries = node.secondaries};
}

InstanceView view(const Cluster& cluster, InstanceIndex index) {
  const Instance& instance = cluster.instance(index);
  return {.index = index,
          .name = instance.facts->name,
          .memory_mib = instance.facts->memory,
          .disk_mib = instance.facts->disk,
          .vcpus = instance.facts->vcpus,
          .disk_template = instance.facts->disk_template,
          .status = std::string(facts(instance.facts->status).name),
          .primary = instance.primary,
          .secondary = instance.secondary,
          .movable = instance.facts->movable,
          .tags = instance.facts->tags.texts()};
}

}  // namespace htools
