#include "maintain/clearing_targets.h"

#include <algorithm>
#include <cmath>

namespace htools {

namespace {

constexpr double kLargestSum = 4e18;  // less than 2^62, so that sums of amounts (MiB) stay far from overflow

double sum_of_amounts(const Cluster& cluster) {
  const auto size = [](std::int64_t amount) { return std::abs(static_cast<double>(amount)); };
  double sum = 0.0;
  for (const Node& node : cluster.nodes) sum += size(node.unallocated_memory()) + size(node.books.real.free_disk);
  for (const Instance& instance : cluster.instances) sum += size(instance.facts->memory) + size(instance.facts->disk);
  return sum;
}

std::vector<NodeIndex> receiving_nodes_by_group(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (receives(cluster.nodes[n])) nodes.push_back(NodeIndex(n));
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) {
    return cluster.node(a).facts->group < cluster.node(b).facts->group;
  });
  return nodes;
}

}  // namespace

ClearingTargets::ClearingTargets(const Cluster& cluster)
    : nodes_(receiving_nodes_by_group(cluster)),
      groups_(cluster.groups.size()),
      position_(cluster.nodes.size(), kNoPosition),
      free_(nodes_.size()),
      comparable_(sum_of_amounts(cluster) < kLargestSum) {
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    auto& [begin, end] = groups_[cluster.node(nodes_[p]).facts->group.position()];
    if (end == 0) begin = p;
    end = p + 1;
    position_[nodes_[p].position()] = p;
    update(nodes_[p], FreeCapacity(cluster.node(nodes_[p])));
  }
}

void ClearingTargets::update(NodeIndex n, const FreeCapacity& free) {
  const std::size_t position = position_[n.position()];
  if (position == kNoPosition) return;
  free_.set(position, {std::max(kAnyAmount, free.memory), std::max(kAnyAmount, free.disk)});
}

void ClearingTargets::exclude(NodeIndex n) {
  const std::size_t position = position_[n.position()];
  if (position != kNoPosition) free_.set(position, {kNone, kNone});
}

}  // namespace htools
