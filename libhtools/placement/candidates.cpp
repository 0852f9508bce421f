#include "placement/candidates.h"

namespace htools {

Candidates find_candidates(const Cluster& cluster, const std::vector<bool>& allocable, DiskTemplate disk_template) {
  Candidates candidates;
  candidates.pairs = facts(disk_template).has_secondary;
  const std::size_t min_nodes = candidates.pairs ? 2 : 1;
  std::vector<std::vector<NodeIndex>> lists(candidates.pairs ? cluster.groups.size() : 1);
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    const Node& node = cluster.nodes[i];
    if (!receives(node) || !allocable[node.facts->group.position()]) continue;
    lists[candidates.pairs ? node.facts->group.position() : 0].push_back(NodeIndex(i));
  }
  for (auto& list : lists) {
    if (list.size() >= min_nodes) candidates.lists.push_back(std::move(list));
  }
  return candidates;
}

}  // namespace htools
