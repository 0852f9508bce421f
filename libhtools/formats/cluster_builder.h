// Builds a cluster while a document is read, with tables that find its elements by name.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cluster/cluster.h"
#include "cluster/hypervisor.h"
#include "htools/errors.h"

namespace htools {

// A cluster that grows element by element. If several elements have the same name, all of them exist, and lookups find
// the last one.
class ClusterBuilder {
 public:
  void add(Group group) {
    groups_by_uuid_[group.uuid] = GroupIndex(cluster_.groups.size());
    cluster_.groups.push_back(std::move(group));
  }
  void add(Node node) {
    nodes_by_name_[node.facts->name] = NodeIndex(cluster_.nodes.size());
    cluster_.nodes.push_back(std::move(node));
  }
  void add(Instance instance) { cluster_.instances.push_back(std::move(instance)); }

  // Reserve space for the number of elements that a document seems to have. The space is limited, because the document
  // may be wrong about that.
  void expect_nodes(std::size_t count) { cluster_.nodes.reserve(std::min(count, kMostExpected)); }
  void expect_instances(std::size_t count) { cluster_.instances.reserve(std::min(count, kMostExpected)); }

  // Return the group or node of that name. `user` is the node or instance that refers to it, for errors (InputError)
  // such as "Unknown group 'UUID' for node NAME".
  GroupIndex group(std::string_view uuid, std::string_view user) const {
    const auto group = groups_by_uuid_.find(uuid);
    if (group != groups_by_uuid_.end()) return group->second;
    throw InputError(ErrorCode::UnknownName, fmt::format("Unknown group '{}' for node {}", uuid, user));
  }
  NodeIndex node(std::string_view name, std::string_view user) const {
    const NodeIndex node = find_node(name);
    if (!node.is_none()) return node;
    throw InputError(ErrorCode::UnknownName, fmt::format("Unknown node '{}' for instance {}", name, user));
  }
  // Returns the node of that name, or none.
  NodeIndex find_node(std::string_view name) const {
    const auto node = nodes_by_name_.find(name);
    return node == nodes_by_name_.end() ? NodeIndex::none() : node->second;
  }

  // Marks a node as the master. Throws InputError if it does not exist ("Master node NAME unknown").
  void set_master(const std::string& name) {
    const NodeIndex node = find_node(name);
    if (node.is_none()) throw InputError(ErrorCode::UnknownName, fmt::format("Master node {} unknown", name));
    cluster_.node(node).facts.edit().master = true;
  }
  // Sets the hypervisor of all nodes.
  void set_hypervisor(Hypervisor hypervisor) {
    for (Node& node : cluster_.nodes) node.facts.edit().hypervisor = hypervisor;
  }

  Cluster& cluster() { return cluster_; }

 private:
  static constexpr std::size_t kMostExpected = 65536;  // elements that space is reserved for, at most

  // Hashes strings and views alike, so that a lookup by a view makes no string.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  Cluster cluster_;
  std::unordered_map<std::string, GroupIndex, TextHash, std::equal_to<>> groups_by_uuid_;
  std::unordered_map<std::string, NodeIndex, TextHash, std::equal_to<>> nodes_by_name_;
};

}  // namespace htools
