// Which nodes must not be rebooted together: they are the two nodes of an instance, or have instances with a common
// secondary, which would have to take them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

using Vertex = std::uint32_t;  // 0 is the first of the nodes

// The graph stores the instances' nodes, not its edges: a node that is secondary of k others makes k * k of them.
class NodeGraph {
 public:
  // The vertices are all nodes from the first to the last selected one, so that some may be isolated phantoms: edges
  // join selected nodes only. `selected` is ascending and not empty. With `offline_maintenance`, instances are shut
  // down with their node, so common secondaries do not matter.
  NodeGraph(const Cluster& cluster, const std::vector<NodeIndex>& selected, bool offline_maintenance);

  std::size_t size() const { return partners_.size(); }
  NodeIndex node(Vertex v) const { return NodeIndex(first_ + v); }
  // Number of edges; parallel ones and loops count.
  std::size_t degree(Vertex v) const { return degrees_[v]; }

 private:
  friend class Neighbours;

  std::size_t first_;
  std::vector<std::vector<Vertex>> partners_;         // by vertex: the other node of each instance
  std::vector<std::vector<Vertex>> sharing_;          // vertices that share a secondary, one list per secondary
  std::vector<std::vector<std::size_t>> sharing_of_;  // by vertex: its lists
  std::vector<std::size_t> degrees_;
};

// Lists the neighbours of one vertex after the other.
class Neighbours {
 public:
  explicit Neighbours(const NodeGraph& graph) : graph_(graph), seen_(graph.size(), false) {}

  // One entry per edge, the latest edge first: edges between the nodes of an instance come before (that is: are older
  // than) those for a common secondary; of the latter there is at most one between two vertices, and none where there
  // is one of the former. Valid until the next call.
  const std::vector<Vertex>& of(Vertex v);

 private:
  const NodeGraph& graph_;
  std::vector<bool> seen_;  // all false between the calls
  std::vector<Vertex> list_;
};

}  // namespace htools
