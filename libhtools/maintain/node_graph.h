// The graph of the nodes that must not be rebooted together. Two nodes are neighbours if they are the two nodes of an
// instance, or if they have primary instances with a common secondary, which would have to take over all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

using Vertex = std::uint32_t;  // counted from 0, the first selected node

// The graph. It stores the nodes of the instances rather than its edges, because a node that is secondary for k others
// makes about k * k edges.
class NodeGraph {
 public:
  // Builds the graph of the `selected` nodes, which must be ascending and not empty. The vertices are all nodes from
  // the first to the last selected one; nodes in between that are not selected become isolated vertices. With
  // `offline_maintenance`, instances are shut down with their node, so a common secondary makes no edge.
  NodeGraph(const Cluster& cluster, const std::vector<NodeIndex>& selected, bool offline_maintenance);

  std::size_t size() const { return partners_.size(); }
  NodeIndex node(Vertex v) const { return NodeIndex(first_ + v); }
  // Returns the number of edges of the vertex, including parallel edges and loops.
  std::size_t degree(Vertex v) const { return degrees_[v]; }

 private:
  friend class Neighbours;

  std::size_t first_;
  // Holds, by vertex, the other node of each of its instances.
  std::vector<std::vector<Vertex>> partners_;
  // Holds one list per secondary: the vertices that share it, newest instance first.
  std::vector<std::vector<Vertex>> sharing_;
  // Holds, by vertex, the positions in `sharing_` of the lists that contain it.
  std::vector<std::vector<std::size_t>> sharing_of_;
  std::vector<std::size_t> degrees_;
  // Holds, by vertex, what Neighbours::of() returns, in programs without shortcuts (base/literal.h) only.
  std::vector<std::vector<Vertex>> listed_;
};

// Lists the neighbours of a vertex. Keep one object for many vertices: it reuses its memory. The graph must outlive it.
class Neighbours {
 public:
  explicit Neighbours(const NodeGraph& graph) : graph_(graph), seen_(graph.size(), false) {}

  // Returns one entry per edge of `v`, the newest edge first. Edges for a common secondary are newer than edges between
  // the two nodes of an instance. Two vertices have at most one edge for common secondaries, and none if they have an
  // edge between the nodes of an instance. The list is valid until the next call.
  const std::vector<Vertex>& of(Vertex v);

 private:
  const NodeGraph& graph_;
  std::vector<bool> seen_;  // by vertex; all false between calls
  std::vector<Vertex> list_;
};

}  // namespace htools
