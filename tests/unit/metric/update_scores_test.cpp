#include "metric/update_scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::update_scores_test {

namespace {

using htools::Cluster;
using htools::ComponentValues;
using htools::DiskTemplate;
using htools::Instance;
using htools::Node;
using htools::node_values;
using htools::NodeIndex;
using htools::Statistics;
using htools::UpdateScores;
using htools::ValueChange;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;

Instance drbd(Random& random) {
  Instance instance;
  instance.facts.edit().memory = random.between(0, 4096);
  instance.facts.edit().disk = random.between(0, 20000);
  instance.facts.edit().vcpus = random.between(0, 3);
  instance.facts.edit().disk_template = DiskTemplate::Drbd;
  instance.facts.edit().forthcoming = random.chance(10);
  return instance;
}

struct Update {
  ComponentValues before, after;
};

// Returns the values of each online node before and after it becomes the secondary of the instance.
std::vector<Update> updates(const Cluster& cluster, const Instance& instance, NodeIndex primary) {
  std::vector<Update> result;
  for (const Node& node : cluster.nodes) {
    if (node.offline) continue;
    result.push_back({node_values(node), node_values(node, books_with_secondary(node, instance, primary))});
  }
  return result;
}

// Returns the base after one update, as in the pair search.
Statistics base_of(const Cluster& cluster, const Instance& instance, NodeIndex primary) {
  Statistics base = Statistics::evaluate(htools::all_nodes(cluster.nodes));
  const Node& node = cluster.node(primary);
  base.update(node_values(node), node_values(node, books_with_primary(node, instance)), node.offline);
  return base;
}

// Returns how many scores are numbers.
int compare(const Statistics& base, const std::vector<Update>& list) {
  std::vector<ValueChange> changes;
  for (const Update& update : list) changes.emplace_back(update.before, update.after);
  const std::vector<double> scores = UpdateScores(changes).scores(base);
  REQUIRE(scores.size() == list.size());
  int numbers = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Statistics updated = base;
    updated.update(list[i].before, list[i].after, false);
    REQUIRE(same_score(scores[i], updated.score()));
    numbers += std::isfinite(updated.score());
  }
  return numbers;
}

int compare_random(std::uint64_t seed, int rounds, std::int64_t no_spindles, std::int64_t no_memory) {
  Random random(seed);
  int numbers = 0;
  for (int round = 0; round < scaled(rounds); ++round) {
    CAPTURE(round);
    ClusterShape shape = htools::testing::random_shape(random);
    shape.no_spindles = no_spindles;
    Cluster cluster = htools::testing::random_facts(random, shape);
    for (Node& node : cluster.nodes) {
      if (random.chance(no_memory)) node.facts.edit().total_memory = 0.0;
    }
    htools::prepare(cluster, {});
    const Instance instance = drbd(random);
    const NodeIndex primary(random.index(cluster.nodes.size()));
    numbers += compare(base_of(cluster, instance, primary), updates(cluster, instance, primary));
  }
  return numbers;
}

}  // namespace

TEST_CASE("scores are those of Statistics::update, to the last bit") {
  CHECK(compare_random(131, 1500, 0, 0) > scaled_tally(3000));
}

TEST_CASE("... also when variances or values are not numbers") {
  CHECK(compare_random(132, 600, 40, 0) > scaled_tally(500));
  CHECK(compare_random(133, 600, 10, 20) > scaled_tally(500));
}

TEST_CASE("the base counts tag collisions, the changes do not") {
  Random random(134);
  const Cluster cluster = htools::testing::random_cluster(random, {});
  const Instance instance = drbd(random);
  Statistics base = base_of(cluster, instance, NodeIndex(0));
  base.set_pair_collisions(7.0);
  CHECK(compare(base, updates(cluster, instance, NodeIndex(0))) == 6);
}

ComponentValues all_ones() {
  ComponentValues values;
  values.by_position.fill(1.0);
  return values;
}

TEST_CASE("without online nodes all scores are 0") {
  ClusterShape shape;
  shape.offline = 100;
  Random random(135);
  const Cluster cluster = htools::testing::random_cluster(random, shape);
  const Statistics base = Statistics::evaluate(htools::all_nodes(cluster.nodes));
  const ComponentValues zero, one = all_ones();
  CHECK(UpdateScores({{zero, one}, {one, zero}}).scores(base) == std::vector{0.0, 0.0});
}

TEST_CASE("without changes there are no scores, and a change of nothing is the base") {
  Random random(136);
  const Cluster cluster = htools::testing::random_cluster(random, {});
  const Statistics base = base_of(cluster, drbd(random), NodeIndex(0));
  CHECK(UpdateScores({}).scores(base).empty());
  const ComponentValues one = all_ones();
  CHECK(UpdateScores({{one, one}}).scores(base) == std::vector{base.score()});
}

}  // namespace htools::update_scores_test
