// The score of a cluster, literally: the text of the metric's definition step by step, everything computed anew from
// the nodes' lists and amounts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "metric/statistics.h"

namespace htools::testing::literal {

// The components in their order: which are standard deviations, which look at the offline nodes.
inline constexpr std::array<double, 20> kWeights{0.5, 0.5, 1,   1,   4,   16,  0.5, 1, 1, 1,
                                                 1,   2,   0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 0.25};
bool is_deviation(std::size_t k);
inline bool is_offline_component(std::size_t k) { return k == 4 || k == 5; }
inline constexpr std::size_t kMapComponent = 18;

using Values = std::array<double, 20>;
using PairMap = std::map<std::pair<std::string, std::string>, std::int64_t>;

// From the node's lists and amounts rather than from its kept ratios.
Values node_values(const Node& node);

double weighted(const Values& values);

double collisions(const PairMap& map);

// Count, sum, variance or map per component.
struct Statistics {
  double online = 0.0;
  Values sum{}, variance{};
  PairMap map;

  explicit Statistics(const NodeRefs& nodes);
  void update(const Node& before, const Node& after);
  Values values() const;
  double score() const { return online == 0.0 ? 0.0 : weighted(values()); }
};

inline double score(const NodeRefs& nodes) { return Statistics(nodes).score(); }

// The nodes with one of them replaced.
NodeRefs with(NodeRefs nodes, const Node& before, const Node& after);

}  // namespace htools::testing::literal
