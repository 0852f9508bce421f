#include "cluster/group_lookup.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/strings.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {

std::optional<GroupIndex> find_group(const Cluster& cluster, std::string_view id) {
  std::optional<GroupIndex> found;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    if (cluster.groups[g].name != id && cluster.groups[g].uuid != id) continue;
    if (found) return std::nullopt;
    found = GroupIndex(g);
  }
  return found;
}

std::vector<GroupIndex> groups_with_nodes(const Cluster& cluster) {
  std::vector<bool> has_nodes(cluster.groups.size(), false);
  for (const Node& node : cluster.nodes) has_nodes[node.facts->group.position()] = true;
  std::vector<GroupIndex> groups;
  for (std::size_t g = 0; g < has_nodes.size(); ++g) {
    if (has_nodes[g]) groups.push_back(GroupIndex(g));
  }
  return groups;
}

const std::string& unique_name(const Cluster& cluster, GroupIndex group) {
  const Group& of = cluster.group(group);
  if (find_group(cluster, of.name)) return of.name;
  if (find_group(cluster, of.uuid)) return of.uuid;
  throw InputError(ErrorCode::Unanswerable,
                   fmt::format("node group {} has the name of one group and the UUID of another", quote(of.name)));
}

std::string suggest_group(const Cluster& cluster, std::string_view typed) {
  std::vector<std::string_view> names;
  for (const Group& group : cluster.groups) names.push_back(group.name);
  return did_you_mean(typed, names);
}

std::string advice_on_group(const Cluster& cluster, std::string_view typed) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> uuids;
  for (const Group& group : cluster.groups) {
    if (group.name == typed) uuids.push_back(group.uuid);
  }
  if (uuids.size() > 1) return fmt::format("Several have this name; give a UUID: {}.", join_first(uuids, kMostNamed));
  if (std::string suggestion = suggest_group(cluster, typed); !suggestion.empty()) return suggestion;
  std::vector<std::string> names;
  for (const Group& group : cluster.groups) names.push_back(group.name);
  return fmt::format("Node groups: {}.", join_first(names, kMostNamed));
}

std::vector<InstanceIndex> split_instances(const Cluster& cluster) {
  std::vector<InstanceIndex> split;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (instance.secondary.is_none()) continue;
    if (cluster.node(instance.primary).facts->group != cluster.node(instance.secondary).facts->group) {
      split.push_back(InstanceIndex(i));
    }
  }
  return split;
}

}  // namespace htools
