#include "metric/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/literal.h"
#include "metric/lanes.h"
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
    for (const auto& [pair, count] : node.location_exclusion) {
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

// The sums of the components over some nodes, and the sums of the squared distances from their means.
struct Folds {
  ComponentValues sum, squares;
};

// Adds from the first node to the last, `kWidth` components side by side. The partial results stay in registers; kept
// in memory, each addition would wait for the one before twice as long.
template <std::size_t kWidth>
[[gnu::always_inline]] inline Folds fold_all(const std::vector<ComponentValues>& nodes) {
  static_assert(kComponentCount % kWidth == 0);
  constexpr std::size_t kVectors = kComponentCount / kWidth;
  using Vector [[gnu::vector_size(kWidth * sizeof(double))]] = double;
  Vector sum[kVectors] = {}, mean[kVectors], squares[kVectors] = {}, x;
  for (const ComponentValues& values : nodes) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      std::memcpy(&x, values.by_position.data() + v * kWidth, sizeof x);
      sum[v] += x;
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) mean[v] = sum[v] / static_cast<double>(nodes.size());
  for (const ComponentValues& values : nodes) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      std::memcpy(&x, values.by_position.data() + v * kWidth, sizeof x);
      x -= mean[v];
      squares[v] += x * x;
    }
  }
  Folds folds;
  std::memcpy(folds.sum.by_position.data(), sum, sizeof sum);
  std::memcpy(folds.squares.by_position.data(), squares, sizeof squares);
  return folds;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) Folds fold_all_avx2(const std::vector<ComponentValues>& nodes) {
  return fold_all<4>(nodes);
}
#endif

// Folds one component after the other.
Folds fold_each(const std::vector<ComponentValues>& nodes) {
  Folds folds;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    double sum = 0.0, squares = 0.0;
    for (const ComponentValues& values : nodes) sum = sum + values[k];
    const double mean = sum / static_cast<double>(nodes.size());
    for (const ComponentValues& values : nodes) squares = squares + (values[k] - mean) * (values[k] - mean);
    folds.sum[k] = sum;
    folds.squares[k] = squares;
  }
  return folds;
}

Folds fold_all(const std::vector<ComponentValues>& nodes, [[maybe_unused]] LaneWidth width) {
  if (kLiteral) return fold_each(nodes);
#if defined(__x86_64__)
  if (width == LaneWidth::Avx2) return fold_all_avx2(nodes);
#endif
  return fold_all<2>(nodes);
}

}  // namespace

Statistics Statistics::evaluate(const NodeValueTable& table) {
  Statistics s;
  s.online_ = static_cast<double>(table.online().size());
  const Folds online = fold_all(table.online(), widest_lanes());
  const Folds offline = table.offline().empty() ? Folds{} : fold_all(table.offline(), widest_lanes());
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    s.sum_[k] = kComponents[k].nodes == NodeSet::Offline ? offline.sum[k] : online.sum[k];
    s.variance_[k] = online.squares[k] / s.online_;
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
