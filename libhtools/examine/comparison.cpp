#include "examine/comparison.h"

#include <string_view>
#include <unordered_map>

namespace htools {
namespace {

// Returns the name of a node; empty for none.
std::string_view node_name(const Cluster& cluster, NodeIndex node) {
  return node.is_none() ? std::string_view() : std::string_view(cluster.node(node).facts->name);
}

template <class Elements>
std::unordered_map<std::string_view, std::size_t> positions_by_name(const Elements& elements) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < elements.size(); ++i) positions.emplace(elements[i].facts->name, i);
  return positions;
}

bool has_moved(const Cluster& now, const Instance& a, const Cluster& other, const Instance& b) {
  return node_name(now, a.primary) != node_name(other, b.primary) ||
         node_name(now, a.secondary) != node_name(other, b.secondary);
}

bool is_resized(const Instance& a, const Instance& b) {
  return a.facts->memory != b.facts->memory || a.facts->disk != b.facts->disk || a.facts->vcpus != b.facts->vcpus;
}

}  // namespace

StateComparison compare_states(const Cluster& cluster, const Cluster& other) {
  StateComparison result;
  auto other_nodes = positions_by_name(other.nodes);
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const auto found = other_nodes.find(cluster.nodes[n].facts->name);
    if (found == other_nodes.end()) {
      result.only_now_nodes.push_back(NodeIndex(n));
    } else {
      result.nodes.push_back({NodeIndex(n), NodeIndex(found->second)});
      other_nodes.erase(found);
    }
  }
  for (std::size_t n = 0; n < other.nodes.size(); ++n) {
    if (other_nodes.contains(other.nodes[n].facts->name)) result.only_other_nodes.push_back(NodeIndex(n));
  }
  auto other_instances = positions_by_name(other.instances);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    const auto found = other_instances.find(instance.facts->name);
    if (found == other_instances.end()) {
      result.only_now.push_back(InstanceIndex(i));
      continue;
    }
    const Instance& there = other.instances[found->second];
    const ComparedInstance pair{InstanceIndex(i), InstanceIndex(found->second)};
    if (has_moved(cluster, instance, other, there)) result.moved.push_back(pair);
    if (is_resized(instance, there)) result.resized.push_back(pair);
    other_instances.erase(found);
  }
  for (std::size_t i = 0; i < other.instances.size(); ++i) {
    if (other_instances.contains(other.instances[i].facts->name)) result.only_other.push_back(InstanceIndex(i));
  }
  return result;
}

}  // namespace htools
