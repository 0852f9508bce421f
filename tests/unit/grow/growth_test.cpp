// Growth: the mix and its order, parts of clusters, what stands in the way, forecasts, larger instances.
#include "grow/growth.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "cluster/prepare.h"
#include "doctest/doctest.h"
#include "formats/item_reader.h"
#include "formats/text_reader.h"
#include "grow/inflate.h"
#include "grow/must_stay.h"
#include "grow/scope.h"
#include "htools/errors.h"
#include "tests/support/property.h"
#include "tests/support/random_cluster.h"

namespace htools::growth_test {

using namespace htools::testing;

namespace {

InstanceFacts facts_of(std::string name, std::int64_t memory, std::int64_t vcpus, DiskTemplate disk_template) {
  InstanceFacts facts;
  facts.name = std::move(name);
  facts.memory = memory;
  facts.disk = 1024;
  facts.disks = {Disk{1024, std::nullopt}};
  facts.vcpus = vcpus;
  facts.disk_template = disk_template;
  return facts;
}

// Returns a cluster of equal nodes in one group. Instance i is on node i mod n.
Cluster equal_nodes(std::size_t count, std::vector<InstanceFacts> instances) {
  Cluster cluster;
  cluster.groups.push_back({.name = "g", .uuid = "u", .tags = {}, .networks = {}, .policy = {}});
  for (std::size_t n = 0; n < count; ++n) {
    NodeFacts facts;
    facts.name = "node" + std::to_string(n);
    facts.group = GroupIndex(0);
    facts.total_memory = 16384;
    facts.free_memory = 16384;
    facts.total_disk = 102400;
    facts.free_disk = 102400;
    facts.total_cpus = 8;
    Node& node = cluster.nodes.emplace_back();
    node.facts.edit() = std::move(facts);
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    Instance instance(std::move(instances[i]));
    instance.primary = NodeIndex(i % count);
    NodeFacts& host = cluster.node(instance.primary).facts.edit();
    host.free_memory -= instance.facts->memory;
    cluster.instances.push_back(std::move(instance));
  }
  prepare(cluster, {});
  return cluster;
}

GrowthAnswer answer(const Cluster& cluster, const char* item, bool capacity_checks = true) {
  GrowthOptions options;
  options.question = GrowthQuestion::Listed;
  options.instances = read_item(item);
  options.capacity_checks = capacity_checks;
  return answer_growth(cluster, options).all;
}

}  // namespace

TEST_CASE("every beginning of the mix has its proportions") {
  std::vector<InstanceFacts> instances;
  for (int i = 0; i < 12; ++i) {
    instances.push_back(facts_of("i" + std::to_string(i), i < 8 ? 512 : i < 11 ? 1024 : 2048, 1, DiskTemplate::Rbd));
  }
  const Workload mix = present_mix(equal_nodes(3, std::move(instances)), 48);
  REQUIRE(mix.sizes.size() == 3);
  CHECK(mix.sizes[0].present == 8);
  CHECK(mix.sizes[0].instance.facts->memory == 512);
  CHECK(mix.counts() == std::vector<std::int64_t>{32, 12, 4});
  for (std::size_t count = 1; count <= mix.order.size(); ++count) {
    const auto counts = mix.counts(count);
    for (std::size_t s = 0; s < counts.size(); ++s) {
      const double share = static_cast<double>(count) * static_cast<double>(mix.sizes[s].present) / 12.0;
      CHECK(static_cast<double>(counts[s]) >= share - 1.5);
      CHECK(static_cast<double>(counts[s]) <= share + 1.5);
    }
  }
}

TEST_CASE("a mix of too many sizes becomes one of few, with about the same sum") {
  std::vector<InstanceFacts> instances;
  std::int64_t sum = 0;
  for (int i = 0; i < 300; ++i) {
    instances.push_back(facts_of("i" + std::to_string(i), 100 + 7 * i, 1 + i % 4, DiskTemplate::Rbd));
    sum += 100 + 7 * i;
  }
  const Workload mix = present_mix(equal_nodes(40, std::move(instances)), 300);
  CHECK(mix.sizes.size() <= kMostMixSizes);
  const ResourceAmounts needed = demand_of(mix, 300);
  CHECK(needed[0] >= sum);
  CHECK(needed[0] <= sum + 300);
}

TEST_CASE("what stands in the way is named") {
  const Cluster cluster = equal_nodes(3, {facts_of("a", 4096, 2, DiskTemplate::Rbd)});
  const auto kind = [&](const char* item, bool capacity_checks = true) {
    const GrowthAnswer found = answer(cluster, item, capacity_checks);
    REQUIRE(found.obstacle);
    return found.obstacle->kind;
  };
  CHECK(kind("30*x,rbd,1g,4g,1") == ObstacleKind::Survival);
  CHECK(kind("30*x,rbd,1g,4g,1", false) == ObstacleKind::Memory);
  CHECK(kind("200*x,rbd,1g,128m,1") == ObstacleKind::Cpus);
  CHECK(kind("20*x,drbd,20g,128m,1") == ObstacleKind::Disk);
  CHECK(kind("x,rbd,1g,1m,1") == ObstacleKind::Rules);
  CHECK_FALSE(answer(cluster, "x,rbd,1g,4g,1").obstacle);
  const GrowthAnswer piece = answer(cluster, "5*x,rbd,1g,9g,1", false);
  REQUIRE(piece.obstacle);
  CHECK(piece.fits == 3);
}

TEST_CASE("a refusal in a group names elements of the whole cluster") {
  Cluster cluster = read_text_cluster(
      "g|ug|preferred||\nh|uh|preferred||\n\n"
      "g1|16384|0|12288|1024|1024|8|N|ug|1\nh1|16384|0|12288|1024|1024|8|N|uh|1\n"
      "g2|16384|0|16384|1024|1024|8|N|ug|1\nh2|16384|0|16384|1024|1024|8|N|uh|1\n\n"
      "on-g|4096|1|1|running|Y|g1||rbd||1\non-h|4096|1|1|running|Y|h1||rbd||1\n\n\n",
      "test");
  prepare(cluster, {});
  const auto refusal = [&](const char* item) {
    GrowthOptions options;
    options.question = GrowthQuestion::Listed;
    options.instances = read_item(item);
    options.group = GroupIndex(1);
    const GrowthAnswers answers = answer_growth(cluster, options);
    REQUIRE(answers.all.obstacle);
    REQUIRE(answers.all.obstacle->refusal);
    return *answers.all.obstacle->refusal;
  };
  CHECK(refusal("x,rbd,1g,1m,1").place.primary == NodeIndex(1));  // too small for the policy
  const Refusal with_arrival = refusal("x,rbd,1g,14g,1");
  REQUIRE(std::holds_alternative<Homeless>(with_arrival.reason));
  CHECK(std::get<Homeless>(with_arrival.reason).node == NodeIndex(1));
  CHECK(std::get<Homeless>(with_arrival.reason).instance == InstanceIndex(1));
}

TEST_CASE("an empty mix, and a cluster without nodes, are errors") {
  CHECK_THROWS_AS(answer_growth(equal_nodes(2, {}), {}), InputError);
  CHECK_THROWS_AS(answer_growth(Cluster{}, {}), InputError);
}

TEST_CASE("a forecast names the month in which something runs out") {
  const Cluster cluster = equal_nodes(3, {facts_of("a", 1024, 1, DiskTemplate::Rbd)});
  GrowthOptions options;
  options.question = GrowthQuestion::Monthly;
  options.monthly = {100.0, 10};
  const GrowthAnswer found = answer_growth(cluster, options).all;
  REQUIRE(found.forecast);
  CHECK(found.forecast->wanted == std::vector<std::int64_t>{1, 3, 7, 15, 31, 63, 127, 255, 511, 1023});
  REQUIRE(found.forecast->full_in);
  const auto month = static_cast<std::size_t>(*found.forecast->full_in);
  CHECK(found.forecast->wanted[month - 1] > found.fits);
  CHECK(found.forecast->wanted[month - 2] <= found.fits);
  CHECK(found.forecast->full_bound >= found.forecast->full_in);
}

TEST_CASE("what was counted to its end is a bound, and what was not is none") {
  const auto growth_with = [](double scale) {
    Cluster cluster = equal_nodes(2, {facts_of("a", 128, 1, DiskTemplate::Rbd)});
    for (Node& node : cluster.nodes) {
      NodeFacts& facts = node.facts.edit();
      facts.free_memory += static_cast<std::int64_t>(facts.total_memory * (scale - 1.0));
      facts.total_memory *= scale;
      facts.total_cpus *= scale;
    }
    prepare(cluster, {});
    GrowthOptions options;
    options.question = GrowthQuestion::Monthly;
    options.monthly = {100.0, 30};
    return answer_growth(cluster, options).all;
  };
  const GrowthAnswer counted = growth_with(20.0);
  CHECK_FALSE(counted.is_capped);
  CHECK(counted.bound > 100);  // times what is there
  CHECK(counted.forecast->full_bound);
  const GrowthAnswer capped = growth_with(20000.0);
  CHECK(capped.is_capped);
  CHECK(capped.fits == capped.bound);
  CHECK_FALSE(capped.forecast->full_in);
  CHECK_FALSE(capped.forecast->full_bound);
}

TEST_CASE("after plans, bounds hold as well, and a plan without moves changes nothing") {
  std::int64_t more = 0;
  for_each_seed(76, 400, [&](Random& random) {
    std::vector<InstanceFacts> instances;
    for (std::int64_t i = random.between(4, 9); i > 0; --i) {
      instances.push_back(facts_of("i" + std::to_string(i), 1024 * random.between(1, 5), 1, DiskTemplate::Rbd));
    }
    GrowthOptions options;
    options.question = GrowthQuestion::Listed;
    options.instances = read_item("3*new,rbd,1g," + std::to_string(random.between(6, 14)) + "g,1");
    options.after_plan = true;
    const GrowthAnswer answer = answer_growth(equal_nodes(5, std::move(instances)), options).all;
    CHECK(answer.after_plan->fits <= answer.after_plan->bound);
    CHECK(answer.after_defragmenting.has_value() == !answer.is_yes());
    if (!answer.after_defragmenting) return;
    const AfterPlan& after = *answer.after_defragmenting;
    CHECK(after.fits <= after.bound);
    CHECK(after.fits >= answer.fits);  // there is but one size
    if (after.moves == 0) CHECK(after.fits == answer.fits);
    more += after.fits > answer.fits;
  });
  if (only_seed() == nullptr) CHECK(more > 0);
}

TEST_CASE("spindles can keep nodes that nothing else keeps") {
  const auto four = [] {
    std::vector<InstanceFacts> instances;
    for (int i = 0; i < 4; ++i) instances.push_back(facts_of("i" + std::to_string(i), 1024, 1, DiskTemplate::Plain));
    return equal_nodes(4, std::move(instances));
  };
  Cluster cluster = four();
  CHECK(nodes_that_must_stay(cluster, GroupIndex(0), true) == 2);
  CHECK(nodes_that_must_stay(cluster, GroupIndex(0), false) == 1);
  for (Node& node : cluster.nodes) node.facts.edit().max_instance_spindles = 1.5;
  CHECK(nodes_that_must_stay(cluster, GroupIndex(0), true) == 2);  // parts of spindles are rounded up
  for (Node& node : cluster.nodes) node.facts.edit().max_instance_spindles = 1.0;
  CHECK(nodes_that_must_stay(cluster, GroupIndex(0), true) == 4);
  cluster.nodes.front().facts.edit().exclusive_storage = true;
  CHECK(nodes_that_must_stay(cluster, GroupIndex(0), true) == 2);
}

TEST_CASE("instances may grow until a node is full") {
  const Cluster cluster =
      equal_nodes(2, {facts_of("a", 4096, 2, DiskTemplate::Rbd), facts_of("b", 2048, 4, DiskTemplate::Rbd)});
  const auto memory = max_inflation(cluster, {InflatedResource::Memory}, {}, false);
  CHECK(memory.back().factor == 3.999);
  CHECK(memory.back().limit->node == NodeIndex(0));
  const auto vcpus = max_inflation(cluster, {InflatedResource::Cpus}, {}, false);
  CHECK(vcpus.back().factor == 7.75);
  const auto survivable = max_inflation(cluster, {InflatedResource::Memory}, {}, true);
  CHECK(survivable.back().factor <= 2.667);
  CHECK(survivable.back().bound >= survivable.back().factor);
}

TEST_CASE("a part of a cluster is what would have been read without the rest") {
  for_each_seed(81, 200, [](Random& random) {
    ClusterShape shape = random_shape(random);
    shape.groups = random.between(1, 3);
    const Cluster cluster = random_cluster(random, shape);
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      std::vector<bool> only(cluster.groups.size(), false);
      only[g] = true;
      const Cluster part = part_of(cluster, only);
      for (const Node& node : part.nodes) {
        CHECK(node.facts->group == GroupIndex(g));
        for (const InstanceIndex i : node.primaries) CHECK(&part.node(part.instance(i).primary) == &node);
        for (const PeerMap::Entry& peer : node.peers.entries()) CHECK(peer.primary.position() < part.nodes.size());
      }
      for (const Instance& instance : part.instances) {
        CHECK(part.node(instance.primary).facts->group == GroupIndex(g));
      }
    }
  });
}

TEST_CASE("bound of larger instances: no placement of them allows more") {
  for_each_seed(82, 150, [](Random& random) {
    ClusterShape shape;
    shape.nodes = random.between(1, 5);
    shape.instances = 10;
    const Cluster cluster = random_cluster(random, shape);
    std::vector<InflatedResource> resources;
    for (const auto r : {InflatedResource::Memory, InflatedResource::Disk, InflatedResource::Cpus}) {
      if (random.chance(60)) resources.push_back(r);
    }
    if (resources.empty()) return;
    for (const Inflation& one : max_inflation(cluster, resources, {}, random.chance(50))) {
      if (one.bound) CHECK(one.factor.value_or(1e9) <= *one.bound);
    }
  });
}

}  // namespace htools::growth_test
