// Nodes as they were before something is only tried.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Puts the nodes back at the end of its life.
class SavedNodes {
 public:
  explicit SavedNodes(Cluster& cluster) : cluster_(cluster) {}
  ~SavedNodes() {
    for (auto& [index, node] : saved_) cluster_.node(index) = std::move(node);
  }
  SavedNodes(const SavedNodes&) = delete;
  SavedNodes& operator=(const SavedNodes&) = delete;

  // The node, about to be changed. None is allowed and gives nothing to save.
  void save(NodeIndex index) {
    const auto known = [index](const auto& entry) { return entry.first == index; };
    if (index.is_none() || std::any_of(saved_.begin(), saved_.end(), known)) return;
    saved_.emplace_back(index, cluster_.node(index));
  }
  Node& change(NodeIndex index) {
    save(index);
    return cluster_.node(index);
  }

 private:
  Cluster& cluster_;
  std::vector<std::pair<NodeIndex, Node>> saved_;
};

}  // namespace htools
