#include "placement/pair_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "cluster/node.h"
#include "metric/running_statistics.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::pair_scores_test {

namespace {

using htools::Component;
using htools::ComponentValues;
using htools::Node;
using htools::NodeValueTable;
using htools::PairScores;
using htools::RunningStatistics;
using htools::SecondarySides;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::scaled;

// A set of online nodes, and their values before and after they take an instance in each role.
struct Scene {
  std::vector<Node> nodes;
  std::vector<ComponentValues> before, as_primary, as_secondary;

  NodeValueTable table() const {
    NodeValueTable table(htools::all_nodes(nodes));
    for (std::size_t n = 0; n < nodes.size(); ++n) table.set(n, before[n]);
    return table;
  }
  // Returns the score of the changed nodes, evaluated from scratch.
  double exact(std::size_t primary, std::size_t secondary) const {
    NodeValueTable changed = table();
    changed.set(primary, as_primary[primary]);
    changed.set(secondary, as_secondary[secondary]);
    return Statistics::evaluate(changed).score();
  }
};

constexpr std::size_t kShared[] = {1, 9, 12, 14, 16};  // the positions of kSharedComponents

Scene random_scene(Random& random) {
  Scene scene;
  const std::size_t count = 2 + random.index(random.chance(10) ? 200 : 20);
  scene.nodes.resize(count);
  const double size = random.chance(20) ? 1e6 : 1.0;     // of all values
  const double spread = random.chance(30) ? 1e-9 : 1.0;  // of the values of different nodes
  const bool equal = random.chance(20);
  const auto draw = [&] { return size * (1.0 + (equal ? 0.0 : spread * random.fraction())); };
  for (std::size_t n = 0; n < count; ++n) {
    ComponentValues values;
    for (double& value : values.by_position) value = draw();
    ComponentValues primary = values, secondary = values;
    for (std::size_t k = 0; k < htools::kComponentCount; ++k) {
      const bool shared = std::find(std::begin(kShared), std::end(kShared), k) != std::end(kShared);
      const bool location = k == htools::position(Component::LocationExclusion);
      if (location) continue;  // it has no values by node
      const double change = 0.1 * size * (equal ? 0.5 : random.fraction());
      if (shared || (k % 2 == 0 && k != htools::position(Component::ReservedMemory))) primary[k] += change;
      const bool deviation = htools::kComponents[k].aggregation == htools::Aggregation::Deviation;
      if (shared || k == htools::position(Component::ReservedMemory) || (k % 2 == 1 && !deviation))
        secondary[k] += change;
    }
    scene.before.push_back(values);
    scene.as_primary.push_back(primary);
    scene.as_secondary.push_back(secondary);
  }
  for (Node& node : scene.nodes) node.offline = false;
  return scene;
}

}  // namespace

TEST_CASE("scores of pairs are exact to within their uncertainty, and no near pair is left out") {
  Random random(311);
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Scene scene = random_scene(random);
    SecondarySides sides;
    PairScores scores(Statistics::evaluate(scene.table()), sides);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
      scores.add_primary(n, scene.before[n], scene.as_primary[n]);
      sides.add(n, 0, scene.before[n], scene.as_secondary[n]);
    }
    scores.set_bounds();
    REQUIRE(scores.is_valid());
    double best = std::numeric_limits<double>::infinity();
    std::set<std::pair<std::size_t, std::size_t>> seen;
    const double uncertainty = scores.uncertainty();
    const auto limit = [&] { return best + 2 * uncertainty; };
    scores.for_each_up_to(limit, [&](const auto& p, const auto& s) {
      if (p.node_class == s.node_class) return;
      const double score = scores.score(p, s);
      REQUIRE(std::abs(score - scene.exact(p.node_class, s.node_class)) <= uncertainty);
      best = std::min(best, score);
      seen.emplace(p.node_class, s.node_class);
    });
    double exact_best = std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, std::size_t>> winners;
    for (std::size_t p = 0; p < scene.nodes.size(); ++p) {
      for (std::size_t s = 0; s < scene.nodes.size(); ++s) {
        if (p == s) continue;
        const double exact = scene.exact(p, s);
        if (exact < exact_best) winners.clear();
        exact_best = std::min(exact_best, exact);
        if (exact == exact_best) winners.emplace_back(p, s);
      }
    }
    for (const auto& pair : winners) CHECK(seen.contains(pair));
  }
}

TEST_CASE("scores from running statistics are exact to within their uncertainty") {
  Random random(312);
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Scene scene = random_scene(random);
    RunningStatistics running(scene.table());
    for (std::size_t change = random.index(15); change > 0; --change) {
      const std::size_t n = random.index(scene.nodes.size());
      running.set(n, scene.as_primary[n]);
      if (random.chance(50)) running.set(n, scene.as_secondary[n]);
      running.set(n, scene.before[n]);
    }
    SecondarySides sides;
    PairScores scores(running.statistics(), sides);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
      scores.add_primary(n, scene.before[n], scene.as_primary[n]);
      sides.add(n, 0, scene.before[n], scene.as_secondary[n]);
    }
    scores.set_bounds();
    REQUIRE(scores.is_valid());
    const double uncertainty = scores.uncertainty(running.noise());
    const auto limit = [] { return std::numeric_limits<double>::infinity(); };
    scores.for_each_up_to(limit, [&](const auto& p, const auto& s) {
      if (p.node_class == s.node_class) return;
      REQUIRE(std::abs(scores.score(p, s) - scene.exact(p.node_class, s.node_class)) <= uncertainty);
    });
  }
}

TEST_CASE("pairs whose nodes both change a component that is not shared have no scores") {
  Random random(312);
  const Scene scene = random_scene(random);
  for (const Component both : {Component::ReservedMemory, Component::FreeMemory}) {
    SecondarySides sides;
    PairScores scores(Statistics::evaluate(scene.table()), sides);
    ComponentValues primary = scene.before[0], secondary = scene.before[1];
    primary[both] += 1;
    scores.add_primary(0, scene.before[0], primary);
    scores.set_bounds();
    CHECK(scores.is_valid());
    secondary[both] += 1;
    sides.add(1, 0, scene.before[1], secondary);
    scores.set_bounds();
    CHECK_FALSE(scores.is_valid());
  }
}

TEST_CASE("secondaries that change a deviation that is not theirs have no scores") {
  Random random(313);
  const Scene scene = random_scene(random);
  SecondarySides sides;
  PairScores scores(Statistics::evaluate(scene.table()), sides);
  ComponentValues secondary = scene.before[1];
  secondary[Component::FreeMemory] += 1;
  scores.add_primary(0, scene.before[0], scene.before[0]);
  sides.add(1, 0, scene.before[1], secondary);
  scores.set_bounds();
  CHECK_FALSE(scores.is_valid());
}

}  // namespace htools::pair_scores_test
