#include "allocate/evacuation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "allocate/group_change.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_evacuation.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::evacuation_test {

namespace {

using htools::AllocationRules;
using htools::Cluster;
using htools::DiskTemplate;
using htools::EvacuationMode;
using htools::EvacuationRequest;
using htools::GroupChangeRequest;
using htools::GroupIndex;
using htools::Instance;
using htools::InstanceIndex;
using htools::InstanceOutcome;
using htools::NodeIndex;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::difference;
using htools::testing::on_trial;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::text;
namespace literal = htools::testing::literal;

// ---- By hand: a1..a4 are nodes 0..3, b1 and b2 are 4 and 5; i1, i2, e1, p1 are instances 0..3.

Cluster facts() {
  return htools::read_text_cluster(
      "alpha|g1|preferred||\nbeta|g2|last_resort||\n\n"
      "a1|8192|0|7168|102400|92160|8|N|g1|1\na2|8192|0|6144|102400|71680|8|N|g1|1\n"
      "a3|8192|0|7168|102400|81920|8|N|g1|1\na4|4096|0|4096|51200|51200|4|N|g1|1\n"
      "b1|8192|0|7680|102400|97280|8|N|g2|1\nb2|8192|0|8192|102400|102400|8|N|g2|1\n\n"
      "i1|1024|10240|1|running|Y|a1|a2|drbd||1\ni2|2048|20480|2|running|Y|a2|a3|drbd||1\n"
      "e1|1024|10240|1|running|Y|a3||ext||1\np1|512|5120|1|running|Y|b1||plain||1\n\n"
      "htools:iextags:svc\nhtools:migration:hv\nhtools:nlocation:power\n",
      "x.data");
}

Cluster prepared(Cluster cluster) {
  htools::prepare(cluster, {});
  return cluster;
}

std::vector<InstanceIndex> indices(const std::vector<std::size_t>& positions) {
  std::vector<InstanceIndex> list;
  for (std::size_t i : positions) list.push_back(InstanceIndex(i));
  return list;
}

std::string evacuated(Cluster cluster, const std::vector<std::size_t>& instances, EvacuationMode mode,
                      bool force = false) {
  return text(on_trial(cluster, [&](Trial& t) { return evacuate(t, {indices(instances), mode}, force); }));
}

std::string changed(Cluster cluster, const std::vector<std::size_t>& instances,
                    const std::vector<GroupIndex>& targets = {}, const AllocationRules& rules = {}) {
  return text(on_trial(cluster, [&](Trial& t) { return change_groups(t, {indices(instances), targets}, rules); }));
}

// Takes the node offline and removes all amounts that are known about it.
void lose(Cluster& cluster, std::size_t n) {
  htools::Node& node = cluster.nodes[n];
  node.offline = true;
  node.facts.edit().total_memory = node.facts.edit().total_disk = node.facts.edit().total_cpus = 0.0;
  node.facts.edit().free_memory = node.facts.edit().free_disk = 0;
}

constexpr EvacuationMode kPrimary = EvacuationMode::PrimaryOnly, kSecondary = EvacuationMode::SecondaryOnly,
                         kAll = EvacuationMode::All;

// ---- At random

// Returns a cluster that often has offline primaries, many mirrored instances, and little free capacity. Each group has
// at least `nodes` nodes.
Cluster random_cluster(Random& random, std::int64_t groups, std::int64_t nodes = 2) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.groups = groups;
  shape.nodes = random.between(nodes, nodes + 1) * groups + random.between(0, 2);
  shape.instances = random.between(1, 2 * shape.nodes);
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{512, 2048, 4096});
  if (random.chance(60)) shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Ext};
  shape.offline = random.chance(50) ? 30 : 0;
  shape.second_node = random.chance(20) ? 50 : 0;
  shape.split = random.chance(40) ? 50 : 0;
  shape.no_spindles = random.chance(10) ? 30 : 0;
  shape.narrow = 0;
  Cluster cluster = htools::testing::random_facts(random, shape);
  const bool policies = random.chance(20);
  for (auto& group : cluster.groups) {
    group.policy.minmax.clear();
    if (policies) group.policy = htools::testing::random_policy(random);
    group.alloc_policy = static_cast<htools::AllocPolicy>(random.chance(60) ? 0 : random.between(0, 2));
    if (random.chance(90)) group.networks = {"net"};
  }
  for (Instance& instance : cluster.instances) {
    if (random.chance(20)) instance.facts.edit().nics = {htools::testing::nic_on("net")};
    if (random.chance(1)) instance.secondary = NodeIndex::none();
  }
  htools::PrepareOptions options;
  for (const Instance& instance : cluster.instances) {
    if (random.chance(shape.uneven))
      options.utilisation.emplace_back(instance.facts->name, htools::Load{random.fraction(), 1, 1, 1});
  }
  htools::prepare(cluster, options);
  return cluster;
}

// Draws different instances. One that is listed again would leave its first nodes twice; the scores then take one
// instance too many off an offline node, for all targets alike, so that nearly equal ones can change places.
std::vector<InstanceIndex> random_instances(Random& random, const Cluster& cluster, std::size_t most) {
  std::vector<InstanceIndex> list;
  for (std::size_t count = 1 + random.index(most); count > 0; --count) {
    const InstanceIndex drawn(random.index(cluster.instances.size()));
    if (std::find(list.begin(), list.end(), drawn) == list.end()) list.push_back(drawn);
  }
  return list;
}

struct Tally {
  int moved = 0, failed = 0, missing = 0;
};

// Runs both versions on copies of the cluster and compares the results. The cluster takes on the literal result.
template <class Literal, class Found>
void compare(Cluster& cluster, Literal literally, Found found, Tally& tally) {
  Cluster changed = cluster, expected = cluster;
  std::vector<InstanceOutcome> outcomes;
  try {
    outcomes = literally(expected);
  } catch (const literal::NodeMissing&) {
    REQUIRE_THROWS_AS(found(changed), htools::InputError);
    ++tally.missing;
    return;
  }
  REQUIRE(text(found(changed)) == text(outcomes));
  REQUIRE(difference(changed, expected) == "");
  for (const InstanceOutcome& outcome : outcomes) {
    ++(std::holds_alternative<htools::Evacuated>(outcome.outcome) ? tally.moved : tally.failed);
  }
}

}  // namespace

TEST_CASE("primary nodes, secondary nodes or both are left") {
  const Cluster cluster = prepared(facts());
  CHECK(evacuated(cluster, {0, 1, 2, 3}, kPrimary) ==
        "0: 1/0 by failover; 1: 2/1 by failover; 2: 3/- by failover to 3; 3: not relocatable; ");
  CHECK(evacuated(cluster, {0, 1, 2, 3}, kSecondary) ==
        "0: 0/3 by replacement by 3; 1: 1/0 by replacement by 0; 2: no secondary; 3: not relocatable; ");
  CHECK(evacuated(cluster, {0}, kAll) == "0: 3/2 by replacement by 3 failover replacement by 2; ");
  // The nodes of the listed instances are not targets for any of them.
  CHECK(evacuated(cluster, {0, 1, 2, 3}, kAll) ==
        "0: no pair; 1: no pair; 2: 3/- by failover to 3; 3: not relocatable; ");
}

TEST_CASE("lost primary nodes") {
  Cluster lost = facts();
  lose(lost, 0);
  const Cluster cluster = prepared(lost);
  CHECK(evacuated(cluster, {0}, kPrimary) == "0: 1/0 by failover; ");
  CHECK(evacuated(cluster, {0}, kAll) == "0: 3/2 by failover replacement by 3 failover replacement by 2; ");
  CHECK(evacuated(cluster, {0}, kSecondary) == "0: no target, 2 FailMem, 3 FailMem; ");
  lose(lost, 2);
  CHECK(evacuated(prepared(lost), {2}, kPrimary) == "2: 3/- by failover to 3; ");
  CHECK(evacuated(prepared(lost), {0}, kAll) == "0: no pair; ");
  lose(lost, 1);
  lose(lost, 3);
  CHECK(evacuated(prepared(lost), {2}, kAll) == "2: no target; ");
}

TEST_CASE("why instances stay") {
  Cluster full = facts();
  full.nodes[1].facts.edit().node_memory = 8192, full.nodes[1].facts.edit().free_memory = 0;  // the secondary is full
  CHECK(evacuated(prepared(full), {0}, kPrimary) == "0: failover FailMem; ");
  full = facts();
  full.nodes[0].facts.edit().tags = {"hv:1"};
  CHECK(evacuated(prepared(full), {0}, kPrimary) == "0: failover FailMig; ");
  CHECK(evacuated(prepared(full), {0}, kSecondary) == "0: 0/3 by replacement by 3; ");
  CHECK(evacuated(prepared(full), {0}, kAll) == "0: failover to primary FailMig; ");
  full.nodes[0].offline = true;
  CHECK(evacuated(prepared(full), {0}, kAll) == "0: failover to secondary FailMig; ");
  full = facts();
  full.nodes[2].facts.edit().free_disk = 10240;
  CHECK(evacuated(prepared(full), {0}, kAll) == "0: replacement by final secondary FailDisk; ");
  full.nodes[3].facts.edit().free_disk = 10240;
  CHECK(evacuated(prepared(full), {0}, kAll) == "0: replacement by soon primary FailDisk; ");
  CHECK(evacuated(prepared(full), {0}, kSecondary) == "0: no target, 2 FailDisk, 3 FailDisk; ");
}

TEST_CASE("force leaves out soft checks on the way") {
  Cluster tagged = facts();
  for (Instance& instance : tagged.instances) instance.facts.edit().tags = {"svc:x"};
  const Cluster cluster = prepared(tagged);
  CHECK(evacuated(cluster, {0}, kPrimary) == "0: failover FailTags; ");
  CHECK(evacuated(cluster, {0}, kPrimary, true) == "0: 1/0 by failover; ");
}

TEST_CASE("an instance that is listed twice starts twice from where it was") {
  const Cluster cluster = prepared(facts());
  CHECK(evacuated(cluster, {2, 2}, kPrimary) == "2: 3/- by failover to 3; 2: 0/- by failover to 0; ");
  CHECK(evacuated(cluster, {0, 0}, kPrimary) == "0: 1/0 by failover; 0: 1/0 by failover; ");
}

TEST_CASE("a drbd instance without its secondary cannot be moved") {
  Cluster lonely = facts();
  lonely.instances[0].secondary = NodeIndex::none();
  Cluster cluster = prepared(lonely);
  for (const EvacuationMode mode : {kPrimary, kSecondary, kAll}) {
    CHECK_THROWS_AS(evacuated(cluster, {0}, mode), htools::InputError);
  }
}

TEST_CASE("instances leave their group") {
  const Cluster cluster = prepared(facts());
  CHECK(changed(cluster, {0, 2}) == "0: 5/4 by replacement by 5 failover replacement by 4; 2: 5/- by failover to 5; ");
  CHECK(changed(cluster, {0}, {GroupIndex(1), GroupIndex(0)}) ==
        "0: 5/4 by replacement by 5 failover replacement by 4; ");
  // No group is left if the instances are in all groups.
  CHECK(changed(cluster, {0, 3}) == "0: no target group of; 3: no target group of; ");
  CHECK(changed(cluster, {2}, {GroupIndex(0)}) == "2: no target group of; ");
  // The group is chosen before the template is checked, and restrictions apply to the choice, but not to the move.
  CHECK(changed(cluster, {3}) == "3: not relocatable; ");
  AllocationRules rules;
  rules.allowed_nodes = std::set<std::string>{"b1"};
  CHECK(changed(cluster, {0}, {}, rules) == "0: any group; 1: not enough online nodes; ");
  CHECK(changed(cluster, {2}, {}, rules) == "2: 5/- by failover to 5; ");
  Cluster unallocable = facts();
  unallocable.groups[1].alloc_policy = htools::AllocPolicy::Unallocable;
  CHECK(changed(prepared(unallocable), {2}).starts_with("2: any group; 1: 2 successes, best 5/- "));
}

// The instance is then on its secondary node twice, as specified.
TEST_CASE("an instance with nodes in two groups leaves one of them") {
  const auto split = [](const std::string& cpus) {
    Cluster cluster = htools::read_text_cluster(
        "alpha|g1|preferred||\nbeta|g2|preferred||\n\n"
        "n1|2664|0|2664|6404|4627|22|N|g1|8\nn2|2906|0|2905|9800|9800|" +
            cpus +
            "|N|g1|4\n"
            "n3|2836|0|2502|7002|5225|6|N|g2|8\n\n"
            "i|333|1777|1|running|Y|n3|n1|drbd||1\n\n",
        "x.data");
    return prepared(std::move(cluster));
  };
  AllocationRules rules;
  rules.capacity_checks = false;
  CHECK(changed(split("6"), {0}, {}, rules) == "0: 1/0 by replacement by 1 failover replacement by 0; ");
  // Here, the second node can only be secondary.
  const Cluster cluster = split("0");
  Trial trial(cluster);
  CHECK(text(change_groups(trial, {indices({0}), {}}, rules)) ==
        "0: 0/1 by replacement by 0 failover replacement by 1; ");
  const htools::Node& twice = trial.cluster().nodes[0];
  CHECK(twice.books.real.free_disk == 6404 - 2 * 1777);
  CHECK(twice.primaries == indices({0}));
  CHECK(twice.secondaries == indices({0}));
}

TEST_CASE("tags that stay behind in the old group do not count in the new one") {
  Cluster tagged = facts();
  for (const auto& [node, location] : {std::pair(2, "power:x"), {4, "power:x"}, {5, "power:y"}}) {
    tagged.nodes[static_cast<std::size_t>(node)].facts.edit().tags = {location};
  }
  tagged.nodes.push_back(tagged.nodes[4]);
  tagged.nodes[6].facts.edit().name = "b3";
  for (const std::size_t n : {4U, 6U})
    tagged.nodes[n].facts.edit().free_memory = 8192, tagged.nodes[n].facts.edit().free_disk = 102400;
  Instance& neighbour = tagged.instances[3];
  neighbour.facts.edit().memory = 1, neighbour.facts.edit().vcpus = 0,
  neighbour.facts.edit().disk_template = DiskTemplate::Ext;
  neighbour.facts.edit().tags = tagged.instances[2].facts.edit().tags = {"svc:x"};
  AllocationRules rules;
  rules.capacity_checks = false;
  CHECK(changed(prepared(tagged), {2}, {}, rules) == "2: 5/- by failover to 5; ");
}

TEST_CASE("an instance keeps its location score while a group for one node is chosen") {
  Cluster cluster = htools::read_text_cluster(
      "alpha|g1|preferred||\nbeta|g2|unallocable||\n\n"
      "a1|8192|0|8192|102400|102400|8|N|g1|1|power:x\na2|8192|0|8192|102400|102400|8|N|g1|1|power:x\n"
      "b1|8192|0|8192|102400|102400|8|N|g2|1\nb2|8192|0|8192|102400|102400|8|N|g2|1\n\n"
      "e|1024|10240|1|running|Y|a1||ext||1\n\nhtools:nlocation:power\n",
      "x.data");
  CHECK(changed(prepared(cluster), {0}).starts_with("0: any group; 1: 2 successes, best 3/- 2.12081329 "));
  cluster.instances[0].secondary = NodeIndex(1);  // the node has no data, but a common location
  CHECK(changed(prepared(cluster), {0}).starts_with("0: any group; 1: 2 successes, best 3/- 4.13920258 "));
}

TEST_CASE("evacuations of random clusters are the literal ones") {
  Random random(141);
  for (const EvacuationMode mode : {EvacuationMode::PrimaryOnly, EvacuationMode::SecondaryOnly, EvacuationMode::All}) {
    CAPTURE(static_cast<int>(mode));
    Tally tally;
    for (int round = 0; round < scaled(1000); ++round) {
      CAPTURE(round);
      Cluster cluster = random_cluster(random, random.chance(70) ? 1 : 2);
      if (cluster.instances.empty()) continue;
      const EvacuationRequest request{random_instances(random, cluster, 4), mode};
      const bool force = random.chance(30);
      compare(
          cluster, [&](Cluster& c) { return literal::evacuate(c, request, force); },
          [&](Cluster& c) { return on_trial(c, [&](Trial& t) { return evacuate(t, request, force); }); }, tally);
    }
    CHECK(tally.moved > scaled_tally(450));
    CHECK(tally.failed > scaled_tally(500));
    CHECK(tally.missing >= scaled_tally(1));
  }
}

TEST_CASE("evacuations of both nodes with many pairs to choose from are the literal ones") {
  Random random(143);
  Tally tally;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random, 1, random.between(6, 15));
    if (cluster.instances.empty()) continue;
    const EvacuationRequest request{random_instances(random, cluster, 3), EvacuationMode::All};
    const bool force = random.chance(30);
    compare(
        cluster, [&](Cluster& c) { return literal::evacuate(c, request, force); },
        [&](Cluster& c) { return on_trial(c, [&](Trial& t) { return evacuate(t, request, force); }); }, tally);
  }
  CHECK(tally.moved > scaled_tally(200));
  CHECK(tally.failed > scaled_tally(50));
}

TEST_CASE("changes of groups on random clusters are the literal ones") {
  Random random(142);
  Tally tally;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random, random.between(2, 3));
    if (cluster.instances.empty()) continue;
    GroupChangeRequest request{random_instances(random, cluster, 2), {}};
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      if (random.chance(30)) request.targets.push_back(GroupIndex(g));
    }
    AllocationRules rules{.force = random.chance(30), .capacity_checks = random.chance(50), .allowed_nodes = {}};
    if (random.chance(10)) rules.allowed_nodes = std::set<std::string>{"n0", "n1", "n2", "n3"};
    compare(
        cluster, [&](Cluster& c) { return literal::change_groups(c, request, rules); },
        [&](Cluster& c) { return on_trial(c, [&](Trial& t) { return change_groups(t, request, rules); }); }, tally);
  }
  CHECK(tally.moved > scaled_tally(300));
  CHECK(tally.failed > scaled_tally(500));
}

}  // namespace htools::evacuation_test
