#include "allocate/lost_allocations.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "htools/errors.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/scale.h"

namespace htools::lost_allocations_test {

namespace {

using htools::Allocation;
using htools::allocation_vector;
using htools::AllocationRules;
using htools::Cluster;
using htools::Disk;
using htools::DiskTemplate;
using htools::Group;
using htools::GroupIndex;
using htools::InputError;
using htools::Instance;
using htools::InstanceIndex;
using htools::InstancePolicy;
using htools::MinMaxSpecs;
using htools::Node;
using htools::NodeIndex;
using htools::Placement;
using htools::try_nodes_by_loss;
using htools::try_pairs_by_loss;
using htools::testing::as_arrival;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::text;
namespace literal = htools::testing::literal;

using Vector = std::vector<std::int64_t>;
using Lost = std::string;  // lost allocations and remaining disk, for example "([1,0],10)"

// ---- The example of the design: sizes are quarters of a node, and a node is slightly larger than its instances.

constexpr std::int64_t kQuarterMemory = 1024, kQuarterDisk = 10240;

// Returns the bounds for instances whose size is that many quarters of a node, or slightly less.
MinMaxSpecs size(std::int64_t quarters) {
  MinMaxSpecs specs;
  specs.min = {(kQuarterMemory - 1) * quarters, quarters, (kQuarterDisk - 10) * quarters, 1, 1, quarters};
  specs.max = {kQuarterMemory * quarters, quarters, kQuarterDisk * quarters, 1, 1, quarters};
  return specs;
}
const MinMaxSpecs kQuarter = size(1), kHalf = size(2), kThreeQuarters = size(3), kFull = size(4);

InstancePolicy policy(const std::vector<MinMaxSpecs>& sizes) {
  InstancePolicy result;
  result.minmax = sizes;
  result.vcpu_ratio = result.spindle_ratio = 1.0;
  return result;
}

Instance instance(std::int64_t quarters, DiskTemplate disk_template = DiskTemplate::Plain) {
  Instance result;
  result.facts.edit().name = "instance of " + std::to_string(quarters);
  result.facts.edit().memory = kQuarterMemory * quarters;
  result.facts.edit().disk = kQuarterDisk * quarters;
  result.facts.edit().vcpus = quarters;
  result.facts.edit().spindle_use = quarters;
  result.facts.edit().disks = {Disk{result.facts->disk, quarters}};
  result.facts.edit().disk_template = disk_template;
  return result;
}

enum Filling : std::size_t { kEmpty, kQuarterFull, kHalfFull, kThreeQuartersFull };

// Returns a cluster with one node of each filling.
Cluster dedicated(const std::vector<MinMaxSpecs>& sizes = {kQuarter, kHalf, kFull}) {
  Cluster cluster;
  Group group;
  group.policy = policy(sizes);
  cluster.groups.push_back(group);
  for (const std::int64_t quarters : {0, 1, 2, 3}) {
    Node node;
    node.facts.edit().name = std::to_string(quarters) + " quarters";
    node.facts.edit().group = GroupIndex(0);
    node.facts.edit().exclusive_storage = true;
    node.facts.edit().total_memory = 4 * kQuarterMemory + 4;
    node.facts.edit().total_disk = 4 * kQuarterDisk + 10;
    node.facts.edit().total_cpus = 4, node.facts.edit().node_cpus = 0;
    node.facts.edit().spindles = 4;
    node.facts.edit().free_memory = (4 - quarters) * kQuarterMemory + 4;
    node.facts.edit().free_disk = (4 - quarters) * kQuarterDisk + 10;
    node.facts.edit().free_spindles = 4 - quarters;
    if (quarters > 0) {
      cluster.instances.push_back(instance(quarters));
      cluster.instances.back().primary = NodeIndex(cluster.nodes.size());
    }
    cluster.nodes.push_back(node);
  }
  htools::prepare(cluster, {});
  return cluster;
}

Vector vector_of(const Cluster& cluster, std::size_t node) {
  return allocation_vector(cluster.nodes[node], cluster.groups[0].policy);
}

std::vector<NodeIndex> nodes(const std::vector<std::size_t>& positions) {
  std::vector<NodeIndex> result;
  for (std::size_t n : positions) result.push_back(NodeIndex(n));
  return result;
}

Lost lost(const Cluster& cluster, Filling node, const Instance& placed) {
  const Allocation allocation = try_nodes_by_loss(cluster, nodes({node}), placed, {});
  return allocation.choice ? text(allocation.choice->score) : "no place";
}

Placement best_of(const Cluster& cluster, const std::vector<std::size_t>& candidates, const Instance& placed) {
  const Allocation allocation = placed.facts->has_secondary()
                                    ? try_pairs_by_loss(cluster, nodes(candidates), placed, {})
                                    : try_nodes_by_loss(cluster, nodes(candidates), placed, {});
  REQUIRE(allocation.choice);
  return allocation.choice->placement;
}

constexpr Placement on(std::size_t node) { return {NodeIndex(node), NodeIndex::none()}; }
constexpr Placement on(std::size_t primary, std::size_t secondary) {
  return {NodeIndex(primary), NodeIndex(secondary)};
}

}  // namespace

TEST_CASE("allocation vectors: full, half and quarter size instances that still fit") {
  const Cluster cluster = dedicated();
  CHECK(vector_of(cluster, kEmpty) == Vector{1, 2, 4});
  CHECK(vector_of(cluster, kQuarterFull) == Vector{0, 1, 3});
  CHECK(vector_of(cluster, kHalfFull) == Vector{0, 1, 2});
  CHECK(vector_of(cluster, kThreeQuartersFull) == Vector{0, 0, 1});
}

TEST_CASE("a quarter size instance goes where no larger one is lost") {
  const Cluster cluster = dedicated();
  CHECK(lost(cluster, kEmpty, instance(1)) == "([1,1,1],30730)");
  CHECK(lost(cluster, kQuarterFull, instance(1)) == "([0,0,1],20490)");
  CHECK(lost(cluster, kHalfFull, instance(1)) == "([0,1,1],10250)");
  CHECK(lost(cluster, kThreeQuartersFull, instance(1)) == "([0,0,1],10)");
  CHECK(best_of(cluster, {kEmpty, kQuarterFull, kHalfFull}, instance(1)) == on(kQuarterFull));
  CHECK(best_of(cluster, {kEmpty, kHalfFull}, instance(1)) == on(kHalfFull));
}

TEST_CASE("of equal losses, the node that is left with less disk") {
  const Cluster cluster = dedicated();
  CHECK(best_of(cluster, {kQuarterFull, kThreeQuartersFull}, instance(1)) == on(kThreeQuartersFull));
  CHECK(best_of(cluster, {kEmpty, kQuarterFull, kHalfFull, kThreeQuartersFull}, instance(1)) == on(kThreeQuartersFull));
}

TEST_CASE("half and full size instances") {
  const Cluster cluster = dedicated();
  CHECK(lost(cluster, kEmpty, instance(2)) == "([1,1,2],20490)");
  CHECK(lost(cluster, kQuarterFull, instance(2)) == "([0,1,2],10250)");
  CHECK(lost(cluster, kHalfFull, instance(2)) == "([0,1,2],10)");
  CHECK(lost(cluster, kThreeQuartersFull, instance(2)) == "no place");
  CHECK(lost(cluster, kEmpty, instance(4)) == "([1,2,4],10)");
  CHECK(lost(cluster, kQuarterFull, instance(4)) == "no place");
  CHECK(lost(cluster, kEmpty, instance(3)) == "no place");  // the policy does not have this size
}

TEST_CASE("with three-quarter sizes added, the choice is another one") {
  const Cluster cluster = dedicated({kQuarter, kHalf, kThreeQuarters, kFull});
  CHECK(vector_of(cluster, kEmpty) == Vector{1, 1, 2, 4});
  CHECK(vector_of(cluster, kQuarterFull) == Vector{0, 1, 1, 3});
  CHECK(vector_of(cluster, kHalfFull) == Vector{0, 0, 1, 2});
  CHECK(vector_of(cluster, kThreeQuartersFull) == Vector{0, 0, 0, 1});
  CHECK(lost(cluster, kEmpty, instance(1)) == "([1,0,1,1],30730)");
  CHECK(lost(cluster, kQuarterFull, instance(1)) == "([0,1,0,1],20490)");
  CHECK(lost(cluster, kHalfFull, instance(1)) == "([0,0,1,1],10250)");
  CHECK(lost(cluster, kThreeQuartersFull, instance(1)) == "([0,0,0,1],10)");
  CHECK(best_of(cluster, {kEmpty, kQuarterFull, kHalfFull}, instance(1)) == on(kHalfFull));
  CHECK(best_of(cluster, {kEmpty, kQuarterFull}, instance(1)) == on(kQuarterFull));
}

TEST_CASE("the order of the intervals in the policy does not matter") {
  const std::vector<std::vector<MinMaxSpecs>> orders{
      {kFull, kHalf, kQuarter}, {kHalf, kFull, kQuarter}, {kHalf, kQuarter, kFull}, {kFull, kQuarter, kHalf}};
  for (const auto& order : orders) {
    const Cluster cluster = dedicated(order);
    CHECK(vector_of(cluster, kEmpty) == Vector{1, 2, 4});
    CHECK(lost(cluster, kHalfFull, instance(1)) == "([0,1,1],10250)");
  }
  CHECK(vector_of(dedicated({}), kEmpty).empty());
  CHECK(lost(dedicated({}), kQuarterFull, instance(1)) == "([],20490)");
}

TEST_CASE("a drbd instance costs what both its nodes lose") {
  const Cluster cluster = dedicated();
  const auto lost_by_pair = [&](Filling primary, Filling secondary) {
    const std::vector<NodeIndex> candidates = nodes({primary, secondary});
    const Allocation allocation = try_pairs_by_loss(cluster, candidates, instance(1, DiskTemplate::Drbd), {});
    REQUIRE(allocation.choice);
    return text(allocation.choice->score);
  };
  // As a secondary, the instance takes disk, but neither memory nor vcpus. The test sizes need disk, too.
  CHECK(lost_by_pair(kQuarterFull, kHalfFull) == "([0,1,2],30740)");
  CHECK(lost_by_pair(kQuarterFull, kThreeQuartersFull) == "([0,0,2],20500)");
  CHECK(lost_by_pair(kEmpty, kHalfFull) == "([1,2,2],40980)");
  CHECK(best_of(cluster, {kEmpty, kQuarterFull, kHalfFull, kThreeQuartersFull}, instance(1, DiskTemplate::Drbd)) ==
        on(kThreeQuartersFull, kQuarterFull));
  CHECK(best_of(cluster, {kQuarterFull, kHalfFull}, instance(1, DiskTemplate::Drbd)) == on(kHalfFull, kQuarterFull));
}

TEST_CASE("equal places: the last node, the last pair") {
  Cluster cluster = dedicated();
  cluster.instances.clear();
  for (Node& node : cluster.nodes) node = cluster.nodes[kEmpty];
  htools::prepare(cluster, {});
  CHECK(best_of(cluster, {0, 1, 2, 3}, instance(1)) == on(3));
  CHECK(best_of(cluster, {0, 1, 2}, instance(4)) == on(2));
  CHECK(best_of(cluster, {0, 1, 2, 3}, instance(1, DiskTemplate::Drbd)) == on(3, 2));
}

TEST_CASE("refused candidates are counted with their reasons") {
  const Cluster cluster = dedicated();
  const auto outcome = [&](const Instance& placed) {
    const Allocation allocation = placed.facts->has_secondary()
                                      ? try_pairs_by_loss(cluster, nodes({0, 1, 2, 3}), placed, {})
                                      : try_nodes_by_loss(cluster, nodes({0, 1, 2, 3}), placed, {});
    return text(allocation);
  };
  CHECK(outcome(instance(1)) == "4 successes, best 3/- ([0,0,1],10)");
  CHECK(outcome(instance(2)) == "3 successes, 1 FailMem, best 2/- ([0,1,2],10)");
  CHECK(outcome(instance(4)) == "1 successes, 3 FailMem, best 0/- ([1,2,4],10)");
  CHECK(outcome(instance(3)) == "0 successes, 4 FailMem");
  Instance unknown = instance(1);
  unknown.facts.edit().disks[0].spindles.reset();
  CHECK(outcome(unknown) == "0 successes, 4 FailSpindles");
  CHECK(outcome(instance(1, DiskTemplate::Drbd)) == "12 successes, best 3/1 ([0,0,2],20500)");
}

TEST_CASE("force leaves out the soft checks of the primary") {
  const Cluster cluster = dedicated();
  Instance many_vcpus = instance(2);
  many_vcpus.facts.edit().vcpus = 5;
  Cluster generous = cluster;
  for (MinMaxSpecs& specs : generous.groups[0].policy.minmax) specs.max.vcpus = 8;
  const AllocationRules forced{.force = true, .allowed_nodes = {}};
  CHECK(text(try_nodes_by_loss(generous, nodes({kEmpty}), many_vcpus, {})) == "0 successes, 1 FailCPU");
  CHECK(text(try_nodes_by_loss(generous, nodes({kEmpty}), many_vcpus, forced)) ==
        "1 successes, best 0/- ([1,2,4],20490)");           // no vcpus are left for any size
  many_vcpus.facts.edit().memory = 2 * kQuarterMemory + 1;  // `force` does not skip the policy
  CHECK(text(try_nodes_by_loss(generous, nodes({kEmpty}), many_vcpus, forced)) == "0 successes, 1 FailMem");
}

TEST_CASE("small sizes are counted quickly, without any there is no end") {
  Cluster cluster = dedicated({kQuarter, MinMaxSpecs{}});
  cluster.nodes[kEmpty].facts.edit().total_memory = cluster.nodes[kEmpty].facts.edit().total_disk = 1e8;
  cluster.nodes[kEmpty].facts.edit().free_memory = cluster.nodes[kEmpty].facts.edit().free_disk = 100'000'000;
  cluster.nodes[kEmpty].facts.edit().total_cpus = 1e8;
  htools::prepare(cluster, {});
  auto& tiny = cluster.groups[0].policy.minmax[1].min;
  tiny = {10, 1, 1, 1, 1, 1};
  CHECK(vector_of(cluster, kEmpty) == Vector{9775, 9'999'999});  // the last 10 MiB cannot be used for instances
  tiny = {0, 0, 9, 1, 1, 1};
  CHECK(vector_of(cluster, kEmpty) == Vector{9775, 11'111'111});
  tiny = {0, 0, 0, 1, 1, 1};
  CHECK_THROWS_AS(vector_of(cluster, kEmpty), InputError);
  // A node without free memory has no place for sizes of zero, either.
  cluster.nodes[kEmpty].facts.edit().free_memory = 0;
  htools::prepare(cluster, {});
  CHECK(vector_of(cluster, kEmpty) == Vector{0, 0});
}

TEST_CASE("allocation vectors on random nodes are those of adding one instance after the other") {
  Random random(111);
  int many = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Cluster cluster =
        htools::testing::random_allocation_cluster(random, random.one_of(std::vector<std::int64_t>{0, 100}));
    InstancePolicy sizes;
    sizes.minmax.clear();
    for (std::int64_t pairs = random.between(0, 3); pairs > 0; --pairs) {
      const bool by_disk = random.chance(30);  // a size without memory must need disk, and the other way round
      MinMaxSpecs specs;
      specs.min = {by_disk ? 0 : random.between(1, 1024),
                   random.between(0, 2),
                   random.between(by_disk ? 100 : 0, 4096),
                   random.between(0, 2),
                   1,
                   random.between(0, 2)};
      sizes.minmax.push_back(specs);
    }
    for (const Node& node : cluster.nodes) {
      const Vector expected = literal::allocation_vector(node, sizes);
      REQUIRE(allocation_vector(node, sizes) == expected);
      for (std::int64_t times : expected) many += times > 3;
    }
  }
  CHECK(many > scaled_tally(1000));
}

TEST_CASE("places on random clusters are those of the literal rules") {
  Random random(112);
  int chosen = 0, refused = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Cluster cluster = htools::testing::random_allocation_cluster(random, random.chance(80) ? 100 : 0);
    const auto group = random.one_of(cluster.nodes).facts->group;
    const auto candidates = literal::members(cluster, literal::every_node(cluster), group);
    if (random.chance(80)) {
      auto& sizes = cluster.group(group).policy.minmax;
      sizes = {MinMaxSpecs{}, MinMaxSpecs{}};
      for (MinMaxSpecs& specs : sizes) {
        specs.min = {random.between(1, 512), random.between(0, 1), random.between(1, 1024), 0, 1, 0};
      }
    }
    const std::int64_t required = random.between(1, 2);
    const Instance placed = htools::testing::random_newcomer(random, cluster, required);
    const AllocationRules rules{.force = random.chance(25), .allowed_nodes = {}};
    const Allocation found = required == 1 ? try_nodes_by_loss(cluster, candidates, placed, rules)
                                           : try_pairs_by_loss(cluster, candidates, placed, rules);
    const Allocation expected = literal::try_by_loss(cluster, candidates, as_arrival(cluster, placed), required, rules);
    REQUIRE(text(found) == text(expected));
    ++(expected.choice ? chosen : refused);
  }
  CHECK(chosen > scaled_tally(400));
  CHECK(refused > scaled_tally(200));
}

}  // namespace htools::lost_allocations_test
