#include "placement/failure_counts.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/refusal.h"
#include "placement/refusal_counts.h"
#include "rules/admission.h"
#include "simulate/outcomes.h"
#include "simulate/shrink.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::failure_counts_test {

namespace {

using htools::Candidates;
using htools::Cluster;
using htools::DiskTemplate;
using htools::FailMode;
using htools::Instance;
using htools::Node;
using htools::NodeIndex;
using htools::OutcomeCounts;
using htools::Outcomes;
using htools::SimulatedSize;
using htools::SimulationRules;
using htools::SimulationState;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;

Candidates candidates_of(const Cluster& cluster, DiskTemplate disk_template) {
  std::vector<bool> allocable;
  for (const auto& group : cluster.groups) allocable.push_back(group.is_allocable());
  return htools::find_candidates(cluster, allocable, disk_template);
}

bool same(const OutcomeCounts& a, const OutcomeCounts& b) {
  return a.successes == b.successes && a.failures == b.failures;
}

// Counts the outcomes by trying every candidate.
OutcomeCounts counted(const Cluster& cluster, const Instance& instance) {
  OutcomeCounts result;
  const auto tally = [&](std::optional<FailMode> fail) { fail ? ++result.failures[*fail] : ++result.successes; };
  const std::vector<NodeIndex> nodes = literal::candidate_nodes(cluster);
  for (NodeIndex p : nodes) {
    const Node& primary = cluster.node(p);
    auto fail =
        htools::check_policy(instance, cluster.group(primary.facts->group).policy, primary.facts->exclusive_storage);
    if (!fail) fail = htools::check_primary(primary, htools::books_with_primary(primary, instance), instance);
    if (instance.facts->disk_template != DiskTemplate::Drbd) {
      tally(fail);
      continue;
    }
    for (NodeIndex s : nodes) {
      const Node& secondary = cluster.node(s);
      if (s == p || secondary.facts->group != primary.facts->group) continue;
      const auto of_secondary =
          htools::check_secondary(secondary, htools::books_with_secondary(secondary, instance, p), instance);
      tally(fail ? fail : of_secondary);
    }
  }
  return result;
}

DiskTemplate random_template(Random& random) {
  return random.one_of(std::vector<DiskTemplate>{DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Plain,
                                                 DiskTemplate::Rbd, DiskTemplate::File, DiskTemplate::Diskless});
}

SimulatedSize random_size(Random& random, const Cluster& cluster) {
  SimulatedSize size{random.between(0, 5000), random.between(0, 30000), random.between(0, 9), random.between(0, 4)};
  if (random.chance(30)) size.memory = random.between(0, 600);
  if (random.chance(30)) size.disk = random.between(0, 1200);
  // Some amounts are close to those that a node has left.
  const Node& node = random.one_of(cluster.nodes);
  if (random.chance(40)) {
    const std::vector<std::int64_t> amounts{node.unallocated_memory(), node.available_memory(),
                                            node.books.forthcoming_free_memory,
                                            node.unallocated_memory() - node.peers.memory_for(NodeIndex(0))};
    size.memory = std::max<std::int64_t>(0, random.one_of(amounts) + random.between(-2, 2));
  }
  if (random.chance(40)) {
    const std::vector<std::int64_t> amounts{node.books.real.free_disk, node.books.forthcoming.free_disk,
                                            node.books.real.free_disk - node.facts->min_free_disk};
    size.disk = std::max<std::int64_t>(0, random.one_of(amounts) + random.between(-2, 2));
  }
  return size;
}

// Returns a cluster in which some disk is reserved, some groups have policies of their own, and some are closed.
Cluster random_cluster(Random& random) {
  auto shape = htools::testing::random_shape(random);
  shape.narrow = 60;
  Cluster cluster = htools::testing::random_cluster(random, shape);
  if (random.chance(40)) {
    htools::NodeOptions options;
    options.min_disk_ratio = 0.1;
    htools::apply_node_options(cluster, options);
  }
  if (random.chance(20)) cluster.groups[0].alloc_policy = htools::AllocPolicy::Unallocable;
  return cluster;
}

}  // namespace

TEST_CASE("every candidate is counted") {
  Random random(61);
  OutcomeCounts all;
  for (int round = 0; round < scaled(3000); ++round) {
    CAPTURE(round);
    const Cluster cluster = random_cluster(random);
    const htools::SimulatedKind kind{random_template(random), random.between(0, 3)};
    const Candidates candidates = candidates_of(cluster, kind.disk_template);
    for (int s = 0; s < 6; ++s) {
      const Instance instance = htools::simulated_instance(kind, random_size(random, cluster));
      const OutcomeCounts found = htools::count_outcomes(cluster, candidates, instance);
      const OutcomeCounts expected = counted(cluster, instance);
      REQUIRE(found.successes == expected.successes);
      REQUIRE(found.failures == expected.failures);
      REQUIRE(htools::failures_of(htools::count_refusals(cluster, candidates, instance)) == found.failures);
      all.successes += found.successes;
      literal::add_failures(all.failures, found.failures);
    }
  }
  CHECK(all.successes > 0);
  for (FailMode mode : {FailMode::Memory, FailMode::Disk, FailMode::Cpu, FailMode::DiskCount, FailMode::Spindles}) {
    CHECK(all.failures[mode] > 0);
  }
  CHECK(all.failures[FailMode::N1] == 0);
}

// n2 is secondary of a, whose primary is n1. A forthcoming instance takes its disk.
TEST_CASE("memory reserved for a peer counts before disk that forthcoming instances take") {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|20000|0|14000|9000|7976|8|N|u|1\nn2|10000|0|10000|9000|7976|8|N|u|1\nn3|20000|0|20000|9000|9000|8|N|u|1\n\n"
      "a|6000|1024|1|running|Y|n1|n2|drbd||1|-|N\n"
      "f|100|7900|1|running|Y|n2||plain||1|-|Y\n\n\n"
      "g|1,1,1,1,1,1|0,1,0,1,1,1;90000,9,9000,9,9,9|plain,drbd|4.0|32.0\n",
      "x.data");
  htools::prepare(cluster, {});
  const Candidates candidates = candidates_of(cluster, DiskTemplate::Drbd);
  const Instance instance = htools::simulated_instance({DiskTemplate::Drbd, 1}, {5000, 1024, 1, 1});
  const OutcomeCounts found = htools::count_outcomes(cluster, candidates, instance);
  CHECK(found.failures[FailMode::Memory] == 3);  // from n1 to n2, and from n2
  CHECK(found.failures[FailMode::Disk] == 1);    // from n3 to n2
  CHECK(htools::failures_of(htools::count_refusals(cluster, candidates, instance)) == found.failures);
}

TEST_CASE("counts depend on the tags of the instance") {
  Random random(62);
  std::int64_t tag_failures = 0;
  for (int round = 0; round < scaled(400); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.tagged = 90;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    Instance instance = htools::simulated_instance({random_template(random), 1}, {256, 1024, 1, 1});
    instance.facts.edit().set_exclusion_tags({"svc:a"});
    const OutcomeCounts found =
        htools::count_outcomes(cluster, candidates_of(cluster, instance.facts->disk_template), instance);
    REQUIRE(same(found, counted(cluster, instance)));
    tag_failures += found.failures[FailMode::Tags];
  }
  CHECK(tag_failures > 0);
}

TEST_CASE("possible primaries and secondaries") {
  Random random(63);
  for (int round = 0; round < scaled(400); ++round) {
    const Cluster cluster = random_cluster(random);
    const Instance instance = htools::simulated_instance({DiskTemplate::Drbd, 1}, random_size(random, cluster));
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      const Node& node = cluster.nodes[n];
      const auto books = htools::books_with_primary(node, instance);
      const bool possible =
          !htools::check_policy(instance, cluster.group(node.facts->group).policy, node.facts->exclusive_storage) &&
          !htools::check_primary(node, books, instance);
      REQUIRE(htools::possible_as_primary(cluster, NodeIndex(n), instance) == possible);
      const NodeIndex peer(random.index(cluster.nodes.size()));
      REQUIRE(htools::possible_as_secondary(cluster, NodeIndex(n), instance, peer) ==
              !htools::check_secondary(node, htools::books_with_secondary(node, instance, peer), instance));
    }
  }
}

TEST_CASE("outcomes of sizes are those that are counted for each size") {
  Random random(64);
  const SimulatedSize largest{1000000, 1000000, 9, 4};
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    const SimulationState state(random_cluster(random));
    SimulationRules rules;
    rules.kind = {random_template(random), random.between(0, 3)};
    rules.candidates = candidates_of(state.cluster(), rules.kind.disk_template);
    Outcomes outcomes(state, rules, largest);
    const auto counts_of = [&](const SimulatedSize& size) {
      return htools::count_outcomes(state.cluster(), rules.candidates, htools::simulated_instance(rules.kind, size));
    };
    SimulatedSize size = random_size(random, state.cluster());
    for (int s = 0; s < 60; ++s) {
      // Only some amounts change, so that consecutive sizes share their outcomes.
      const SimulatedSize drawn = random_size(random, state.cluster());
      if (random.chance(50)) size.memory = drawn.memory;
      if (random.chance(50)) size.disk = drawn.disk;
      if (random.chance(20)) size.vcpus = drawn.vcpus;
      if (random.chance(20)) size.spindles = drawn.spindles;
      CAPTURE(size.memory);
      CAPTURE(size.disk);
      CAPTURE(size.vcpus);
      CAPTURE(size.spindles);
      const OutcomeCounts expected = counts_of(size);
      REQUIRE(same(outcomes.of(size), expected));

      for (std::size_t resource = 0; resource < htools::kShrinkableResources.size(); ++resource) {
        CAPTURE(resource);
        const std::int64_t equal = outcomes.equal_reductions(size, resource);
        REQUIRE(equal >= 0);
        REQUIRE(equal <= htools::possible_reductions(size, resource));
        for (std::int64_t units : {std::min<std::int64_t>(1, equal), equal, random.between(0, equal)}) {
          CAPTURE(units);
          REQUIRE(same(counts_of(*htools::reduced(size, resource, units)), expected));
        }
      }
    }
  }
}

TEST_CASE("outcomes change where a secondary cannot reserve more for a certain primary") {
  Random random(65);
  htools::testing::ClusterShape shape;
  shape.nodes = 5;
  shape.instances = 14;
  shape.largest_memory = 1024;
  shape.templates = {DiskTemplate::Drbd};
  std::int64_t changes = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const SimulationState state(htools::testing::random_cluster(random, shape));
    SimulationRules rules;
    rules.kind = {DiskTemplate::Drbd, 1};
    rules.candidates = candidates_of(state.cluster(), DiskTemplate::Drbd);
    Outcomes outcomes(state, rules, {1000000, 1024, 1, 1});
    for (const Node& node : state.cluster().nodes) {
      for (const auto& peer : node.peers.entries()) {
        const std::int64_t edge = node.unallocated_memory() - peer.memory;
        std::int64_t below = -1;
        for (std::int64_t memory : {edge - 1, edge}) {
          const SimulatedSize size{memory, 1024, 1, 1};
          const Instance instance = htools::simulated_instance(rules.kind, size);
          const OutcomeCounts expected = htools::count_outcomes(state.cluster(), rules.candidates, instance);
          REQUIRE(same(outcomes.of(size), expected));
          if (memory == edge) changes += below != expected.successes;
          below = expected.successes;
        }
      }
    }
  }
  CHECK(changes > scaled_tally(100));
}

TEST_CASE("outcomes of an empty cluster change at its free amounts") {
  Cluster cluster;
  cluster.groups.resize(1);
  cluster.groups[0].policy.minmax.clear();
  cluster.nodes.resize(1);
  Node& node = cluster.nodes[0];
  node.facts.edit().name = "n";
  node.facts.edit().group = htools::GroupIndex(0);
  node.facts.edit().total_memory = 4096, node.facts.edit().free_memory = 4096, node.facts.edit().total_disk = 1000,
  node.facts.edit().free_disk = 1000;
  node.facts.edit().total_cpus = 4;
  htools::prepare(cluster, {});
  const SimulationState state(cluster);
  SimulationRules rules;
  rules.kind.disk_template = DiskTemplate::Plain;
  rules.candidates = candidates_of(cluster, DiskTemplate::Plain);
  Outcomes outcomes(state, rules, {9999, 9999, 16, 1});
  CHECK(outcomes.of({4095, 999, 1, 1}).successes == 1);
  CHECK(outcomes.of({4096, 999, 1, 1}).failures[FailMode::Memory] == 1);
  CHECK(outcomes.of({4095, 1000, 1, 1}).failures[FailMode::Disk] == 1);
  CHECK(outcomes.of({4095, 999, 16, 1}).failures[FailMode::Cpu] == 1);
  // The memory shrinks by 64 MiB: 9999 - 92 * 64 = 4111 is the last size that is too large.
  CHECK(outcomes.equal_reductions({9999, 999, 1, 1}, 0) == 92);
  CHECK(outcomes.equal_reductions({4095, 999, 1, 1}, 0) == htools::possible_reductions({4095, 999, 1, 1}, 0));
  // One cpu of the node's system and 15 others are allowed.
  CHECK(outcomes.equal_reductions({1, 1, 16, 1}, 2) == 0);
  CHECK(outcomes.equal_reductions({1, 1, 15, 1}, 2) == 14);
}

}  // namespace htools::failure_counts_test
