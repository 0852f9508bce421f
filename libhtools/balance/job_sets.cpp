#include "balance/job_sets.h"

#include <algorithm>

#include "base/literal.h"
#include "htools/index.h"

namespace htools {
namespace {

// Returns the nodes that a step involves: those of the placements before and after it. The old secondary counts only if
// the disk template has a secondary, so that data is on it.
std::vector<NodeIndex> nodes_of(const Cluster& cluster, const BalanceStep& step) {
  std::vector<NodeIndex> nodes{step.after.primary, step.after.secondary, step.before.primary};
  if (cluster.instance(step.instance).facts->has_secondary()) nodes.push_back(step.before.secondary);
  std::erase(nodes, NodeIndex::none());
  return nodes;
}

// The nodes that the job set under construction involves.
class BusyNodes {
 public:
  explicit BusyNodes(std::size_t cluster_size) : busy_(cluster_size, false) {}

  bool any_of(const std::vector<NodeIndex>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex n) { return busy_[n.position()]; });
  }
  void add(const std::vector<NodeIndex>& nodes) {
    for (NodeIndex n : nodes) busy_[n.position()] = true;
    added_.insert(added_.end(), nodes.begin(), nodes.end());
  }
  void clear() {
    for (NodeIndex n : added_) busy_[n.position()] = false;
    added_.clear();
  }

 private:
  std::vector<bool> busy_;        // by node: true if it is in the set
  std::vector<NodeIndex> added_;  // the nodes in the set, with repetitions
};

// Says without BusyNodes whether a step on these nodes involves a node of the set.
bool shares_a_node(const Cluster& cluster, const std::vector<NodeIndex>& nodes, std::span<const BalanceStep> set) {
  return std::any_of(set.begin(), set.end(), [&](const BalanceStep& step) {
    const std::vector<NodeIndex> others = nodes_of(cluster, step);
    return std::find_first_of(nodes.begin(), nodes.end(), others.begin(), others.end()) != nodes.end();
  });
}

}  // namespace

std::vector<std::span<const BalanceStep>> job_sets(const Cluster& cluster, std::span<const BalanceStep> steps) {
  std::vector<std::span<const BalanceStep>> sets;
  BusyNodes busy(cluster.nodes.size());
  std::size_t end = steps.size();  // one past the last step of the set under construction
  for (std::size_t step = steps.size(); step-- > 0;) {
    const std::vector<NodeIndex> nodes = nodes_of(cluster, steps[step]);
    const std::span<const BalanceStep> set = steps.subspan(step + 1, end - step - 1);
    if (kLiteral ? shares_a_node(cluster, nodes, set) : busy.any_of(nodes)) {
      sets.push_back(set);
      end = step + 1;
      busy.clear();
    }
    busy.add(nodes);
  }
  if (end > 0) sets.push_back(steps.first(end));
  std::reverse(sets.begin(), sets.end());
  return sets;
}

}  // namespace htools
