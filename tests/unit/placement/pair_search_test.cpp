#include "placement/pair_search.h"

#include <doctest/doctest.h>

#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "simulate/simulation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::pair_search_test {

namespace {

using htools::Candidates;
using htools::Cluster;
using htools::DiskTemplate;
using htools::find_candidates;
using htools::Instance;
using htools::NodeIndex;
using htools::NodePair;
using htools::PairSearch;
using htools::simulated_instance;
using htools::SimulatedSize;
using htools::SimulationState;
using htools::testing::ClusterShape;
using htools::testing::NodeMix;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;

Candidates candidates_of(const Cluster& cluster) {
  std::vector<bool> allocable;
  for (const auto& group : cluster.groups) allocable.push_back(group.is_allocable());
  return find_candidates(cluster, allocable, DiskTemplate::Drbd);
}

Instance drbd(const SimulatedSize& size, std::int64_t spindle_use = 1) {
  return simulated_instance({DiskTemplate::Drbd, spindle_use}, size);
}

// Places instances until the cluster is full, or `most` times, and compares each place with the literal choice. Returns
// the number of places.
int compare(const Cluster& cluster, const std::vector<Instance>& sizes, int most) {
  SimulationState state(cluster);
  const Candidates candidates = candidates_of(cluster);
  int placed = 0;
  for (const Instance& instance : sizes) {
    PairSearch search(state.cluster(), candidates, instance);
    while (true) {
      const auto expected = literal::place(state.cluster(), instance).solution;
      const auto found = search.best();
      CAPTURE(placed);
      REQUIRE(found.has_value() == expected.has_value());
      if (!found) break;
      REQUIRE(found->primary == expected->primary);
      REQUIRE(found->secondary == expected->secondary);
      if (placed >= most) return placed;
      state.add(instance, found->primary, found->secondary);
      search.changed(found->primary);
      search.changed(found->secondary);
      ++placed;
    }
  }
  return placed;
}

SimulatedSize random_size(Random& random) {
  return {random.between(4, 24) * 64, random.between(1, 12) * 512, random.between(1, 2), random.between(1, 2)};
}

// Returns two sizes of instances, the larger one first.
std::vector<Instance> random_sizes(Random& random) {
  const SimulatedSize size = random_size(random);
  const std::int64_t spindle_use = random.between(0, 2);
  const SimulatedSize half{size.memory / 2, size.disk / 2, 1, 1};
  return {drbd(size, spindle_use), drbd(half, spindle_use)};
}

int compare_random(std::uint64_t seed, int rounds, const ClusterShape& shape, int most = 40) {
  Random random(seed);
  int placed = 0;
  for (int round = 0; round < scaled(rounds); ++round) {
    CAPTURE(round);
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    placed += compare(cluster, random_sizes(random), most);
  }
  return placed;
}

}  // namespace

TEST_CASE("six equal empty nodes: last primary, last secondary") {
  Cluster cluster = htools::read_text_cluster(
      "g|uuid-g|preferred||\n\n"
      "n1|32768|1024|31744|512000|512000|8|N|uuid-g|2\nn2|32768|1024|31744|512000|512000|8|N|uuid-g|2\n"
      "n3|32768|1024|31744|512000|512000|8|N|uuid-g|2\nn4|32768|1024|31744|512000|512000|8|N|uuid-g|2\n"
      "n5|32768|1024|31744|512000|512000|8|N|uuid-g|2\nn6|32768|1024|31744|512000|512000|8|N|uuid-g|2\n\n\n\n",
      "x.data");
  htools::prepare(cluster, {});
  const Instance instance = drbd({1024, 10240, 1, 1});
  const PairSearch search(cluster, candidates_of(cluster), instance);
  const auto pair = search.best();
  REQUIRE(pair);
  CHECK(pair->primary == NodeIndex(5));
  CHECK(pair->secondary == NodeIndex(4));
  // Scores from updated statistics are all equal, but scores that are evaluated anew are not.
  const auto literally = literal::place(cluster, instance);
  CHECK(literally.successes == 30);
  CHECK(literally.solution->score == 1.6839219198909745);
  SimulationState state(cluster);
  state.add(instance, NodeIndex(5), NodeIndex(4));
  CHECK(htools::score(state.cluster().nodes) != literally.solution->score);
}

TEST_CASE("pairs on equal nodes") {
  ClusterShape shape;
  shape.mix = NodeMix::Same;
  shape.instances = 0;
  CHECK(compare_random(31, 140, shape) > scaled_tally(400));
  shape.nodes = 10;
  shape.instances = 12;
  CHECK(compare_random(32, 80, shape) > scaled_tally(400));
}

TEST_CASE("pairs on nodes of two kinds") {
  ClusterShape shape;
  shape.mix = NodeMix::TwoKinds;
  shape.nodes = 8;
  shape.instances = 0;
  CHECK(compare_random(33, 80, shape) > scaled_tally(400));
  shape.instances = 16;
  shape.templates = {DiskTemplate::Drbd};
  CHECK(compare_random(34, 80, shape) > scaled_tally(400));
}

TEST_CASE("pairs on nodes of many kinds") {
  ClusterShape shape;
  shape.nodes = 7;
  CHECK(compare_random(35, 160, shape) > scaled_tally(400));
}

TEST_CASE("pairs of tagged nodes") {
  ClusterShape shape;
  shape.mix = NodeMix::TwoKinds;
  shape.nodes = 8;
  shape.tagged = 90;
  shape.instances = 12;
  CHECK(compare_random(36, 120, shape) > scaled_tally(400));
  shape.mix = NodeMix::Same;
  shape.instances = 0;
  CHECK(compare_random(37, 120, shape) > scaled_tally(400));
}

TEST_CASE("pairs in several groups with policies of their own") {
  ClusterShape shape;
  shape.groups = 3;
  shape.nodes = 10;
  shape.narrow = 60;
  shape.mix = NodeMix::TwoKinds;
  CHECK(compare_random(38, 140, shape) > scaled_tally(400));
}

TEST_CASE("pairs with peers that already reserve memory") {
  ClusterShape shape;
  shape.mix = NodeMix::Same;
  shape.templates = {DiskTemplate::Drbd};
  shape.nodes = 5;
  shape.instances = 30;
  shape.largest_memory = 512;
  shape.stopped = 40;
  CHECK(compare_random(39, 240, shape) > scaled_tally(400));
}

TEST_CASE("pairs on clusters with everything") {
  Random random(40);
  int placed = 0;
  for (int round = 0; round < scaled(600); ++round) {
    CAPTURE(round);
    ClusterShape shape = htools::testing::random_shape(random);
    shape.nodes = random.between(2, 8);
    shape.migration_tagged = 0;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    placed += compare(cluster, random_sizes(random), 15);
  }
  CHECK(placed > scaled_tally(1500));
}

TEST_CASE("pairs when scores are not numbers") {
  Random random(41);
  int placed = 0;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    ClusterShape shape;
    shape.nodes = random.between(2, 7);
    shape.mix = static_cast<NodeMix>(random.between(0, 2));
    shape.no_spindles = random.one_of(std::vector<std::int64_t>{20, 100});
    Cluster cluster = htools::testing::random_facts(random, shape);
    // An online node without memory takes no instances, but makes the sums NaN.
    if (random.chance(40)) cluster.nodes[random.index(cluster.nodes.size())].facts.edit().total_memory = 0.0;
    for (auto& group : cluster.groups) group.policy.minmax.clear();
    htools::prepare(cluster, {});
    placed += compare(cluster, {drbd(random_size(random), 0)}, 8);
  }
  CHECK(placed > scaled_tally(500));
}

TEST_CASE("pairs for instances without memory or disk") {
  Random random(42);
  int placed = 0;
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    ClusterShape shape;
    shape.nodes = random.between(2, 6);
    shape.mix = static_cast<NodeMix>(random.between(0, 2));
    Cluster cluster = htools::testing::random_facts(random, shape);
    for (auto& group : cluster.groups) group.policy.minmax.clear();
    htools::prepare(cluster, {});
    placed += compare(cluster, {drbd({0, 2048, 1, 1})}, 12);
    placed += compare(cluster, {drbd({512, 0, 1, 1})}, 12);
    placed += compare(cluster, {drbd({0, 0, 0, 0}, 0)}, 6);
  }
  CHECK(placed > scaled_tally(1000));
}

TEST_CASE("no pair without two nodes in one group") {
  ClusterShape shape;
  shape.nodes = 1;
  shape.instances = 0;
  Random random(43);
  const Cluster cluster = htools::testing::random_cluster(random, shape);
  CHECK_FALSE(PairSearch(cluster, candidates_of(cluster), drbd({1, 1, 1, 1})).best());
  CHECK(candidates_of(cluster).empty());
}

}  // namespace htools::pair_search_test
