#include "metric/running_statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "cluster/node.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::running_statistics_test {

namespace {

using htools::Aggregation;
using htools::ComponentValues;
using htools::kComponentCount;
using htools::Node;
using htools::NodeValueTable;
using htools::RunningStatistics;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::scaled;

// Random values, on some rounds of nearly equal or of very large size.
struct Values {
  explicit Values(Random& source)
      : random(source), size(source.chance(20) ? 1e6 : 1.0), spread(source.chance(30) ? 1e-9 : 1.0) {}

  ComponentValues draw() {
    ComponentValues values;
    for (double& value : values.by_position) value = size * (1.0 + spread * random.fraction());
    return values;
  }

  Random& random;
  double size, spread;
};

}  // namespace

TEST_CASE("running statistics stay within their noise") {
  Random random(771);
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    std::vector<Node> nodes(2 + random.index(random.chance(10) ? 200 : 20));
    Values values(random);
    for (Node& node : nodes) node.offline = random.chance(10);
    nodes.front().offline = false;
    NodeValueTable table(htools::all_nodes(nodes));
    for (std::size_t n = 0; n < nodes.size(); ++n) table.set(n, values.draw());
    RunningStatistics running(table);
    bool was_off = false;
    for (int change = 0; change < 50; ++change) {
      const std::size_t n = random.index(nodes.size());
      ComponentValues next = running.table().values(n);
      const ComponentValues drawn = values.draw();
      for (std::size_t k = 0; k < kComponentCount; ++k) {
        if (random.chance(50)) next[k] = drawn[k];
      }
      running.set(n, next);
      table.set(n, next);
      const Statistics exact = Statistics::evaluate(table);
      CHECK(running.exact().variances().by_position == exact.variances().by_position);
      for (std::size_t k = 0; k < kComponentCount; ++k) {
        if (htools::kComponents[k].aggregation != Aggregation::Deviation) continue;
        CAPTURE(k);
        const double difference = std::abs(running.statistics().variances()[k] - exact.variances()[k]);
        CHECK(difference <= running.noise()[k] + 1e-14 * exact.online() * exact.variances()[k]);
        was_off = was_off || difference > 0;
      }
    }
    CHECK(was_off);
  }
}

TEST_CASE("statistics of nodes that do not change have no noise") {
  std::vector<Node> nodes(3);
  for (Node& node : nodes) node.offline = false;
  Random random(772);
  Values values(random);
  NodeValueTable table(htools::all_nodes(nodes));
  for (std::size_t n = 0; n < nodes.size(); ++n) table.set(n, values.draw());
  RunningStatistics running(table);
  running.set(1, running.table().values(1));
  for (double noise : running.noise().by_position) CHECK(noise == 0.0);
}

TEST_CASE("the noise is about as large as rounding errors are") {
  std::vector<Node> nodes(100);
  for (Node& node : nodes) node.offline = false;
  RunningStatistics running{NodeValueTable(htools::all_nodes(nodes))};
  ComponentValues values;
  values[0] = 1.0;
  running.set(0, values);
  // The variance is 0.0099, and the square of the largest value, by node, is 0.01.
  CHECK(running.noise()[0] > 1e-17);
  CHECK(running.noise()[0] < 1e-15);
  CHECK(running.noise()[1] == 0.0);
}

}  // namespace htools::running_statistics_test
