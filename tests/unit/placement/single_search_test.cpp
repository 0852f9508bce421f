#include "placement/single_search.h"

#include <doctest/doctest.h>

#include <vector>

#include "cluster/prepare.h"
#include "simulate/simulation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::single_search_test {

namespace {

using htools::Candidates;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Instance;
using htools::NodeIndex;
using htools::simulated_instance;
using htools::SimulatedSize;
using htools::SimulationState;
using htools::SingleSearch;
using htools::testing::ClusterShape;
using htools::testing::NodeMix;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;

Candidates candidates_of(const Cluster& cluster) {
  std::vector<bool> allocable;
  for (const auto& group : cluster.groups) allocable.push_back(group.is_allocable());
  return htools::find_candidates(cluster, allocable, DiskTemplate::Plain);
}

// Returns the nodes in the order in which the literal search offers them to a chooser that refuses each one.
std::vector<NodeIndex> literal_order(const Cluster& cluster, const Instance& instance) {
  std::vector<NodeIndex> order;
  literal::place(cluster, instance, [&](const literal::Solution& solution) {
    order.push_back(solution.primary);
    return false;
  });
  return order;
}

std::vector<NodeIndex> order_of(const SingleSearch& search) {
  std::vector<NodeIndex> order;
  auto ranking = search.ranking();
  while (const auto next = ranking.next()) order.push_back(search.node_of(*next));
  return order;
}

int compare(const Cluster& cluster, const Instance& instance, int most) {
  SimulationState state(cluster);
  SingleSearch search(state.cluster(), candidates_of(cluster), instance);
  for (int placed = 0;; ++placed) {
    CAPTURE(placed);
    const auto expected = literal::place(state.cluster(), instance);
    const auto found = search.best();
    REQUIRE(found.has_value() == expected.solution.has_value());
    REQUIRE(static_cast<std::int64_t>(search.possible_count()) == expected.successes);
    REQUIRE(order_of(search) == literal_order(state.cluster(), instance));
    if (!found) return placed;
    REQUIRE(*found == expected.solution->primary);
    if (placed == most) return placed;
    state.add(instance, *found, NodeIndex::none());
    search.changed(*found);
  }
}

Instance random_instance(Random& random) {
  const std::vector<DiskTemplate> templates{DiskTemplate::Plain, DiskTemplate::Rbd, DiskTemplate::File,
                                            DiskTemplate::Diskless, DiskTemplate::Block};
  return simulated_instance(
      {random.one_of(templates), random.between(0, 2)},
      {random.between(4, 24) * 64, random.between(1, 12) * 512, random.between(1, 2), random.between(1, 2)});
}

int compare_random(std::uint64_t seed, int rounds, const ClusterShape& shape, int most = 60) {
  Random random(seed);
  int placed = 0;
  for (int round = 0; round < scaled(rounds); ++round) {
    CAPTURE(round);
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    placed += compare(cluster, random_instance(random), most);
  }
  return placed;
}

}  // namespace

TEST_CASE("single nodes of one, two and many kinds") {
  ClusterShape shape;
  shape.nodes = 9;
  for (NodeMix mix : {NodeMix::Same, NodeMix::TwoKinds, NodeMix::Many}) {
    shape.mix = mix;
    shape.instances = mix == NodeMix::Same ? 0 : 10;
    CHECK(compare_random(51, 60, shape) > scaled_tally(500));
  }
}

TEST_CASE("single nodes of several groups compete in one list") {
  ClusterShape shape;
  shape.nodes = 8;
  shape.groups = 3;
  shape.narrow = 60;
  CHECK(compare_random(52, 100, shape) > scaled_tally(500));
}

TEST_CASE("single nodes on clusters with everything") {
  Random random(53);
  int placed = 0;
  for (int round = 0; round < scaled(500); ++round) {
    CAPTURE(round);
    Cluster cluster = htools::testing::random_cluster(random, htools::testing::random_shape(random));
    if (random.chance(20)) cluster.groups[0].alloc_policy = htools::AllocPolicy::Unallocable;
    if (random.chance(20)) cluster.groups[0].alloc_policy = htools::AllocPolicy::LastResort;
    placed += compare(cluster, random_instance(random), 12);
  }
  CHECK(placed > scaled_tally(500));
}

TEST_CASE("all scores NaN: the first node takes everything") {
  Random random(54);
  ClusterShape shape;
  shape.mix = NodeMix::Same;
  shape.nodes = 4;
  shape.instances = 0;
  shape.no_spindles = 100;
  const Cluster cluster = htools::testing::random_cluster(random, shape);
  const Instance instance = simulated_instance({DiskTemplate::Rbd, 1}, {128, 1024, 1, 1});
  SimulationState state(cluster);
  SingleSearch search(state.cluster(), candidates_of(cluster), instance);
  for (int placed = 0; placed < 3; ++placed) {
    REQUIRE(search.best() == NodeIndex(0));
    state.add(instance, NodeIndex(0), NodeIndex::none());
    search.changed(NodeIndex(0));
  }
}

TEST_CASE("single nodes when some scores are not numbers") {
  ClusterShape shape;
  shape.no_spindles = 30;
  shape.nodes = 7;
  CHECK(compare_random(55, 150, shape, 10) > scaled_tally(500));
}

TEST_CASE("single nodes for instances without memory, disk or vcpus") {
  Random random(56);
  int placed = 0;
  for (int round = 0; round < scaled(100); ++round) {
    Cluster cluster = htools::testing::random_facts(random, {});
    cluster.groups[0].policy.minmax.clear();
    htools::prepare(cluster, {});
    placed += compare(cluster, simulated_instance({DiskTemplate::Plain, 0}, {0, 0, 0, 0}), 4);
    placed += compare(cluster, simulated_instance({DiskTemplate::Plain, 1}, {0, 2048, 1, 0}), 10);
  }
  CHECK(placed > scaled_tally(500));
}

}  // namespace htools::single_search_test
