#include "htools/cluster.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "cluster/name_lookup.h"

namespace htools {
namespace {

// Returns the only element with this name, or else the only one whose name begins with it up to a dot.
template <class Index, class Element>
std::optional<Index> find(const std::vector<Element>& elements, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(elements.size());
  for (const Element& element : elements) names.push_back(element.facts->name);
  const std::optional<std::string> full = resolve_name(names, name);
  if (!full || std::count(names.begin(), names.end(), *full) != 1) return std::nullopt;
  return Index(static_cast<std::size_t>(std::find(names.begin(), names.end(), *full) - names.begin()));
}

}  // namespace

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

std::optional<NodeIndex> find_node(const Cluster& cluster, std::string_view name) {
  return find<NodeIndex>(cluster.nodes, name);
}

std::optional<InstanceIndex> find_instance(const Cluster& cluster, std::string_view name) {
  return find<InstanceIndex>(cluster.instances, name);
}

}  // namespace htools
