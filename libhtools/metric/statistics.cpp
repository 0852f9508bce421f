#include "metric/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "metric/node_values.h"

namespace htools {

NodeRefs all_nodes(const std::vector<Node>& nodes) { return {nodes.begin(), nodes.end()}; }

NodeRefs member_nodes(const Cluster& cluster, const GroupMembers& members) {
  NodeRefs nodes;
  for (NodeIndex n : members.nodes) nodes.emplace_back(cluster.node(n));
  return nodes;
}

double pair_collisions(const NodeRefs& nodes) {
  using Pair = std::pair<std::string_view, std::string_view>;
  std::int64_t occurrences = 0;
  std::vector<Pair> pairs;
  for (const Node& node : nodes) {
    if (node.offline) continue;
    for (const auto& [pair, count] : node.location_exclusion.entries()) {
      occurrences += count;
      pairs.emplace_back(pair.first, pair.second);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  const auto distinct = std::unique(pairs.begin(), pairs.end()) - pairs.begin();
  return static_cast<double>(occurrences - distinct);
}

NodeValueTable::NodeValueTable(const NodeRefs& nodes) : pair_collisions_(htools::pair_collisions(nodes)) {
  for (const Node& node : nodes) {
    auto& rows = node.offline ? offline_ : online_;
    places_.push_back({!node.offline, rows.size()});
    rows.push_back(node_values(node));
  }
}

namespace {

// Returns the sum of each component over the nodes, added from the first to the last.
ComponentValues column_sums(const std::vector<ComponentValues>& nodes) {
  ComponentValues sums;
  for (const ComponentValues& values : nodes) {
    for (std::size_t k = 0; k < kComponentCount; ++k) sums[k] += values[k];
  }
  return sums;
}

}  // namespace

Statistics Statistics::evaluate(const NodeValueTable& table) {
  Statistics s;
  s.online_ = static_cast<double>(table.online().size());
  s.sum_ = column_sums(table.online());
  ComponentValues mean;
  for (std::size_t k = 0; k < kComponentCount; ++k) mean[k] = s.sum_[k] / s.online_;
  for (const ComponentValues& values : table.online()) {
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      const double distance = values[k] - mean[k];
      s.variance_[k] += distance * distance;
    }
  }
  const ComponentValues offline_sums = column_sums(table.offline());
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    s.variance_[k] /= s.online_;
    if (kComponents[k].nodes == NodeSet::Offline) s.sum_[k] = offline_sums[k];
  }
  s.pair_collisions_ = table.pair_collisions();
  return s;
}

void Statistics::update(const ComponentValues& old_values, const ComponentValues& new_values, bool offline) {
  const NodeSet set = offline ? NodeSet::Offline : NodeSet::Online;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes != set) continue;
    const double x = old_values[k], y = new_values[k];
    const double delta = y - x;
    if (kComponents[k].aggregation == Aggregation::Deviation) {
      variance_[k] = updated_variance(variance_[k], online_, sum_[k], delta, y * y - x * x);
    }
    sum_[k] = sum_[k] + delta;
  }
}

ComponentValues Statistics::values() const {
  ComponentValues values;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    switch (kComponents[k].aggregation) {
      case Aggregation::Deviation:
        values[k] = std::sqrt(variance_[k]);
        break;
      case Aggregation::Sum:
        values[k] = sum_[k];
        break;
      case Aggregation::Pairs:
        values[k] = pair_collisions_;
        break;
    }
  }
  return values;
}

Score Statistics::summary() const {
  if (!has_components()) return {};
  const ComponentValues components = values();
  return {weighted_sum(components), true, components};
}

Score score_of(const Cluster& cluster) { return Statistics::evaluate(all_nodes(cluster.nodes)).summary(); }

Score score_of(const Cluster& cluster, GroupIndex group) {
  return Statistics::evaluate(member_nodes(cluster, members_of(cluster, group))).summary();
}

}  // namespace htools
