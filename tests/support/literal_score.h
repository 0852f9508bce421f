// Provides a literal version of the score of a cluster. It follows the definition of the metric step by step and
// computes everything anew from the lists and amounts of the nodes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "metric/statistics.h"

namespace htools::testing::literal {

// The weights of the components, in their order. The functions below say which components are standard deviations, and
// which look at the offline nodes.
inline constexpr std::array<double, 20> kWeights{0.5, 0.5, 1,   1,   4,   16,  0.5, 1, 1, 1,
                                                 1,   2,   0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 0.25};
bool is_deviation(std::size_t k);
inline bool is_offline_component(std::size_t k) { return k == 4 || k == 5; }
// The component that counts collisions of tag pairs; it is computed from a map rather than from values of nodes.
inline constexpr std::size_t kMapComponent = 18;

using Values = std::array<double, 20>;
using PairMap = std::map<std::pair<std::string, std::string>, std::int64_t>;

// Returns the values of a node, computed from its lists and amounts rather than from the ratios that it stores.
Values node_values(const Node& node);

double weighted(const Values& values);

double collisions(const PairMap& map);

// The statistics of each component: count, sum, variance or map.
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

// Returns the nodes with `before` replaced by `after`.
NodeRefs with(NodeRefs nodes, const Node& before, const Node& after);

}  // namespace htools::testing::literal
