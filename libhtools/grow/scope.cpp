#include "grow/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <variant>

#include "cluster/new_node.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

namespace {

// The positions of the elements that stay; none for the others.
struct NewPositions {
  std::vector<NodeIndex> nodes;
  std::vector<InstanceIndex> instances;

  NodeIndex operator()(NodeIndex old) const { return old.is_none() ? old : nodes[old.position()]; }
};

// Returns the node with the new positions of what it refers to. What does not stay, it forgets; the memory that it
// reserves does not shrink by that.
Node renumbered(const Node& node, const NewPositions& to) {
  Node result = node;
  const auto renumber = [&](std::vector<InstanceIndex>& list) {
    for (InstanceIndex& i : list) i = to.instances[i.position()];
    std::erase_if(list, [](InstanceIndex i) { return i.is_none(); });
  };
  renumber(result.primaries);
  renumber(result.secondaries);
  result.peers = {};
  for (const PeerMap::Entry& peer : node.peers.entries()) {
    const NodeIndex primary = to(peer.primary);
    if (!primary.is_none()) result.peers.set(primary, peer.memory);
  }
  return result;
}

// Returns, by group, whether the part has its nodes.
std::vector<bool> groups_of(const Cluster& part) {
  std::vector<bool> groups(part.groups.size(), false);
  for (const Node& node : part.nodes) groups[node.facts->group.position()] = true;
  return groups;
}

InstanceIndex instance_of_part(const Cluster& cluster, const Cluster& part, InstanceIndex instance) {
  if (instance.is_none() || part.nodes.size() == cluster.nodes.size()) return instance;
  const std::vector<bool> groups = groups_of(part);
  std::size_t before = instance.position();
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Node& primary = cluster.node(cluster.instances[i].primary);
    if (groups[primary.facts->group.position()] && before-- == 0) return InstanceIndex(i);
  }
  return InstanceIndex(cluster.instances.size() + before);
}

}  // namespace

Cluster part_of(const Cluster& cluster, const std::vector<bool>& groups) {
  Cluster part;
  part.groups = cluster.groups;
  part.tags = cluster.tags;
  part.policy = cluster.policy;
  part.first_number = cluster.first_number;
  NewPositions to{std::vector<NodeIndex>(cluster.nodes.size()), std::vector<InstanceIndex>(cluster.instances.size())};
  std::size_t count = 0;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (groups[cluster.nodes[n].facts->group.position()]) to.nodes[n] = NodeIndex(count++);
  }
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (to(instance.primary).is_none()) continue;
    to.instances[i] = InstanceIndex(part.instances.size());
    part.instances.push_back(instance);
    part.instances.back().primary = to(instance.primary);
    part.instances.back().secondary = to(instance.secondary);
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (!to.nodes[n].is_none()) part.nodes.push_back(renumbered(cluster.nodes[n], to));
  }
  return part;
}

NodeIndex node_of_part(const Cluster& cluster, const Cluster& part, NodeIndex node) {
  if (node.is_none() || part.nodes.size() == cluster.nodes.size()) return node;
  const std::vector<bool> groups = groups_of(part);
  std::size_t before = node.position();
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (groups[cluster.nodes[n].facts->group.position()] && before-- == 0) return NodeIndex(n);
  }
  return NodeIndex::none();
}

Refusal refusal_of_part(const Cluster& cluster, const Cluster& part, const Refusal& refusal) {
  Refusal result = refusal;
  result.place = {node_of_part(cluster, part, refusal.place.primary),
                  node_of_part(cluster, part, refusal.place.secondary)};
  if (auto* homeless = std::get_if<Homeless>(&result.reason)) {
    homeless->node = node_of_part(cluster, part, homeless->node);
    homeless->instance = instance_of_part(cluster, part, homeless->instance);
  }
  return result;
}

std::optional<Homeless> unsafe_node(const Cluster& group) {
  Trial trial(group);
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < group.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  return CapacityCheck(trial, std::move(nodes), {}).first_homeless();
}

Cluster with_nodes(const Cluster& cluster, GroupIndex group, const InstanceSpec& size, std::size_t count,
                   const NodeOptions& options) {
  std::unordered_set<std::string> names;
  for (const Node& node : cluster.nodes) names.insert(node.facts->name);
  // The new nodes are prepared as a cluster of their own, by the rules that apply to nodes that are read.
  Cluster added;
  added.groups = cluster.groups;
  added.tags = cluster.tags;
  for (std::size_t number = 1; added.nodes.size() < count; ++number) {
    const std::string name = fmt::format("bought-{}", number);
    if (names.contains(name)) continue;
    NodeFacts facts = facts_of_new_node(cluster, group, size);
    facts.name = name;
    Node& node = added.nodes.emplace_back();
    node.facts.edit() = std::move(facts);
  }
  PrepareOptions preparation;
  preparation.rules = cluster.rules;
  prepare(added, preparation);
  apply_node_options(added, {.offline = {},
                             .cordoned = {},
                             .max_vcpu_ratio = options.max_vcpu_ratio,
                             .min_disk_ratio = options.min_disk_ratio});
  Cluster result = cluster;
  for (Node& node : added.nodes) {
    node.facts.edit().alias = node.facts->name;
    result.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace htools
