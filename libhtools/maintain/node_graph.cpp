#include "maintain/node_graph.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/literal.h"

namespace htools {

namespace {

using Edge = std::pair<NodeIndex, NodeIndex>;

// Lists all edges between nodes of the cluster, as they are specified.
std::vector<Edge> all_edges(const Cluster& cluster, bool offline_maintenance) {
  std::vector<Edge> edges;
  for (const Instance& instance : cluster.instances) {
    if (!instance.facts->has_secondary()) continue;
    edges.emplace_back(instance.primary, instance.secondary);
    edges.emplace_back(instance.secondary, instance.primary);
  }
  if (offline_maintenance) return edges;
  std::set<Edge> known(edges.begin(), edges.end());
  for (const Node& node : cluster.nodes) {
    const std::vector<InstanceIndex> newest_first(node.secondaries.rbegin(), node.secondaries.rend());
    for (InstanceIndex x : newest_first) {
      for (InstanceIndex y : newest_first) {
        const Edge edge{cluster.instance(x).primary, cluster.instance(y).primary};
        if (known.insert(edge).second) edges.push_back(edge);
      }
    }
  }
  return edges;
}

}  // namespace

NodeGraph::NodeGraph(const Cluster& cluster, const std::vector<NodeIndex>& selected, bool offline_maintenance)
    : first_(selected.front().position()),
      partners_(selected.back().position() - first_ + 1),
      sharing_of_(partners_.size()) {
  std::vector<bool> is_selected(cluster.nodes.size(), false);
  for (NodeIndex n : selected) is_selected[n.position()] = true;
  const auto joins = [&](NodeIndex n) { return !n.is_none() && is_selected[n.position()]; };
  const auto vertex = [&](NodeIndex n) { return static_cast<Vertex>(n.position() - first_); };

  if (kLiteral) {
    listed_.resize(size());
    const std::vector<Edge> edges = all_edges(cluster, offline_maintenance);
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
      if (joins(edge->first) && joins(edge->second)) listed_[vertex(edge->first)].push_back(vertex(edge->second));
    }
    for (const std::vector<Vertex>& of_vertex : listed_) degrees_.push_back(of_vertex.size());
    return;
  }
  for (const Instance& instance : cluster.instances) {
    if (!instance.facts->has_secondary() || !joins(instance.primary) || !joins(instance.secondary)) continue;
    partners_[vertex(instance.primary)].push_back(vertex(instance.secondary));
    partners_[vertex(instance.secondary)].push_back(vertex(instance.primary));
  }
  if (!offline_maintenance) {
    std::vector<bool> seen(size(), false);
    for (const Node& node : cluster.nodes) {
      std::vector<Vertex> primaries;  // the primaries of its secondary instances, newest instance first, each once
      for (auto i = node.secondaries.rbegin(); i != node.secondaries.rend(); ++i) {
        const NodeIndex primary = cluster.instance(*i).primary;
        if (!joins(primary) || seen[vertex(primary)]) continue;
        seen[vertex(primary)] = true;
        primaries.push_back(vertex(primary));
      }
      for (Vertex v : primaries) {
        seen[v] = false;
        sharing_of_[v].push_back(sharing_.size());
      }
      if (!primaries.empty()) sharing_.push_back(std::move(primaries));
    }
  }

  Neighbours neighbours(*this);
  for (Vertex v = 0; v < size(); ++v) degrees_.push_back(neighbours.of(v).size());
}

const std::vector<Vertex>& Neighbours::of(Vertex v) {
  if (kLiteral) return graph_.listed_[v];
  list_ = graph_.partners_[v];
  for (Vertex w : list_) seen_[w] = true;
  for (std::size_t sharing : graph_.sharing_of_[v]) {
    for (Vertex w : graph_.sharing_[sharing]) {
      if (seen_[w]) continue;
      seen_[w] = true;
      list_.push_back(w);
    }
  }
  for (Vertex w : list_) seen_[w] = false;
  std::reverse(list_.begin(), list_.end());
  return list_;
}

}  // namespace htools
