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

Statistics Statistics::evaluate(const NodeValueTable& table) {
  Statistics s;
  s.online_ = static_cast<double>(table.online().size());
  for (const ComponentValues& values : table.online()) s.sum_ += values;
  const ComponentValues mean = s.sum_ / s.online_;
  for (const ComponentValues& values : table.online()) {
    const ComponentValues distance = values - mean;
    s.variance_ += distance * distance;
  }
  s.variance_ /= s.online_;

  ComponentValues offline_sum = ComponentValues::Zero();
  for (const ComponentValues& values : table.offline()) offline_sum += values;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    if (kComponents[k].nodes == NodeSet::Offline) s.sum_[i] = offline_sum[i];
  }
  s.pair_collisions_ = table.pair_collisions();
  return s;
}

void Statistics::update(const ComponentValues& old_values, const ComponentValues& new_values, bool offline) {
  const NodeSet set = offline ? NodeSet::Offline : NodeSet::Online;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes != set) continue;
    const auto i = static_cast<Eigen::Index>(k);
    const double x = old_values[i], y = new_values[i];
    const double delta = y - x;
    if (kComponents[k].aggregation == Aggregation::Deviation) {
      variance_[i] = updated_variance(variance_[i], online_, sum_[i], delta, y * y - x * x);
    }
    sum_[i] = sum_[i] + delta;
  }
}

ComponentValues Statistics::values() const {
  ComponentValues values;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    switch (kComponents[k].aggregation) {
      case Aggregation::Deviation:
        values[i] = std::sqrt(variance_[i]);
        break;
      case Aggregation::Sum:
        values[i] = sum_[i];
        break;
      case Aggregation::Pairs:
        values[i] = pair_collisions_;
        break;
    }
  }
  return values;
}

}  // namespace htools
