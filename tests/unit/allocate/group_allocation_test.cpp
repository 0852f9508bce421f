#include "allocate/group_allocation.h"

#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "htools/errors.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/scale.h"

namespace htools::group_allocation_test {

namespace {

using htools::AllocationAnswer;
using htools::AllocationRules;
using htools::AllocPolicy;
using htools::Arrival;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Group;
using htools::GroupIndex;
using htools::Instance;
using htools::Judge;
using htools::Nic;
using htools::Node;
using htools::NodeIndex;
using htools::Trial;
using htools::testing::as_arrival;
using htools::testing::difference;
using htools::testing::nic_on;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::text;
namespace literal = htools::testing::literal;
using literal::Nodes;

// Returns groups of two equal nodes each, without instances.
Cluster equal_groups(const std::vector<AllocPolicy>& policies) {
  Cluster cluster;
  for (const AllocPolicy policy : policies) {
    Group group;
    const std::string number = std::to_string(cluster.groups.size());
    group.name = "g" + number;
    group.uuid = "u" + number;
    group.alloc_policy = policy;
    cluster.groups.push_back(group);
    for (const char* which : {"a", "b"}) {
      Node node;
      node.facts.edit().name = "n" + number + which;
      node.facts.edit().group = GroupIndex(cluster.groups.size() - 1);
      node.facts.edit().total_memory = 8192, node.facts.edit().free_memory = 8192;
      node.facts.edit().total_disk = 102400, node.facts.edit().free_disk = 102400;
      node.facts.edit().total_cpus = 8, node.facts.edit().node_cpus = 0;
      cluster.nodes.push_back(node);
    }
  }
  return cluster;
}

Instance newcomer(DiskTemplate disk_template = DiskTemplate::Drbd) {
  Instance instance;
  instance.facts.edit().name = "new";
  instance.facts.edit().memory = 1024;
  instance.facts.edit().disk = 10240;
  instance.facts.edit().vcpus = 1;
  instance.facts.edit().disks = {{10240, std::nullopt}};
  instance.facts.edit().disk_template = disk_template;
  return instance;
}

AllocationAnswer anywhere(Cluster cluster, const Instance& instance, std::int64_t required_nodes = 2,
                          const AllocationRules& rules = {}, Judge judge = Judge::Score) {
  htools::prepare(cluster, {});
  Trial trial(cluster);
  return allocate_anywhere(trial, literal::every_node(cluster), as_arrival(cluster, instance), required_nodes, rules,
                           judge);
}

AllocationAnswer in_group(Cluster cluster, const Instance& instance, const std::string& group,
                          std::int64_t required_nodes = 2, const AllocationRules& rules = {},
                          Judge judge = Judge::Score) {
  htools::prepare(cluster, {});
  Trial trial(cluster);
  return allocate_in_group(trial, literal::every_node(cluster), as_arrival(cluster, instance), required_nodes, rules,
                           judge, group);
}

std::optional<std::size_t> selected_group(const AllocationAnswer& answer) {
  if (!answer.selected) return std::nullopt;
  return answer.trials[*answer.selected].group.position();
}

AllocationRules only(const std::set<std::string>& nodes) { return {.allowed_nodes = nodes}; }

constexpr AllocPolicy kPreferred = AllocPolicy::Preferred, kLastResort = AllocPolicy::LastResort,
                      kUnallocable = AllocPolicy::Unallocable;

}  // namespace

TEST_CASE("the group: by policy, then by score, of equal ones the last") {
  const auto selected = [](const std::vector<AllocPolicy>& policies) {
    return selected_group(anywhere(equal_groups(policies), newcomer()));
  };
  CHECK(selected({kPreferred, kPreferred, kPreferred}) == 2);
  CHECK(selected({kLastResort, kUnallocable, kLastResort}) == 2);
  CHECK(selected({kLastResort, kPreferred, kLastResort}) == 1);
  CHECK(selected({kPreferred, kLastResort, kUnallocable}) == 0);
  CHECK(selected({kUnallocable, kUnallocable}) == std::nullopt);

  // With an instance in the last group, the others have better scores. Scores are compared only within an allocation
  // policy.
  Cluster cluster = equal_groups({kPreferred, kPreferred});
  cluster.instances.push_back(newcomer(DiskTemplate::Plain));
  cluster.instances[0].primary = NodeIndex(3);
  cluster.nodes[3].facts.edit().free_memory -= 1024, cluster.nodes[3].facts.edit().free_disk -= 10240;
  CHECK(selected_group(anywhere(cluster, newcomer(DiskTemplate::Plain), 1)) == 1);
  cluster.instances.push_back(cluster.instances[0]);
  cluster.instances[1].facts.edit().name = "other", cluster.instances[1].primary = NodeIndex(2);
  cluster.nodes[2].facts.edit().free_memory -= 1024, cluster.nodes[2].facts.edit().free_disk -= 10240;
  CHECK(selected_group(anywhere(cluster, newcomer(DiskTemplate::Plain), 1)) == 0);
  cluster.groups[0].alloc_policy = kLastResort;
  CHECK(selected_group(anywhere(cluster, newcomer(DiskTemplate::Plain), 1)) == 1);
}

TEST_CASE("scores that are no numbers: the first group") {
  for (const std::size_t count : {2U, 3U, 4U}) {
    Cluster cluster = equal_groups(std::vector<AllocPolicy>(count, kPreferred));
    for (Node& node : cluster.nodes) node.facts.edit().spindles = 0;
    CHECK(selected_group(anywhere(cluster, newcomer(DiskTemplate::Ext), 1)) == 0);
  }
}

TEST_CASE("unallocable groups are tried, but not selected unless they are named") {
  const Cluster cluster = equal_groups({kUnallocable, kLastResort});
  const AllocationAnswer answer = anywhere(cluster, newcomer());
  REQUIRE(answer.trials.size() == 2);
  CHECK(answer.trials[0].choice());
  CHECK(selected_group(answer) == 1);
  CHECK(selected_group(in_group(cluster, newcomer(), "g0")) == 0);
}

TEST_CASE("a named group sees its own nodes only") {
  Cluster cluster = equal_groups({kPreferred, kPreferred});
  const std::string alone = text(in_group(equal_groups({kPreferred}), newcomer(), "g0"));
  CHECK(text(in_group(cluster, newcomer(), "g0")) == alone);
  CHECK(text(in_group(cluster, newcomer(), "u0")) == alone);
  CHECK(text(anywhere(cluster, newcomer())).find(alone.substr(alone.find("2 successes"))) == std::string::npos);

  // An instance that cannot leave its node blocks the whole cluster, but not another group.
  cluster.instances.push_back(newcomer(DiskTemplate::Plain));
  cluster.instances[0].primary = NodeIndex(3);
  cluster.instances[0].facts.edit().memory = 4096;
  cluster.nodes[2].facts.edit().free_memory = 1024;
  CHECK_FALSE(anywhere(cluster, newcomer()).selected);
  CHECK(text(in_group(cluster, newcomer(), "g0")) == alone);
  CHECK_FALSE(in_group(cluster, newcomer(), "g1").selected);
}

TEST_CASE("names and UUIDs of groups") {
  Cluster cluster = equal_groups({kPreferred, kPreferred});
  CHECK(text(in_group(cluster, newcomer(), "g2")) == "unknown group");
  CHECK(text(in_group(cluster, newcomer(), "")) == "unknown group");
  cluster.groups[1].name = "u0";
  CHECK(text(in_group(cluster, newcomer(), "u0")) == "unknown group");
  CHECK(selected_group(in_group(cluster, newcomer(), "g0")) == 0);
}

TEST_CASE("networks") {
  Cluster cluster = equal_groups({kPreferred, kPreferred});
  cluster.groups[0].networks = {"net-a", "net-b"};
  Instance instance = newcomer();
  instance.facts.edit().nics = {nic_on("net-b"), Nic{}, nic_on("net-a")};
  const AllocationAnswer answer = anywhere(cluster, instance);
  CHECK(answer.unconnected == std::vector{GroupIndex(1)});
  CHECK(answer.trials.size() == 1);
  CHECK(selected_group(answer) == 0);
  CHECK(text(in_group(cluster, instance, "g1")) == "named group; 1: not connected");
  // With lost allocations, an unconnected group counts as a trial without any place.
  const AllocationAnswer dedicated = anywhere(cluster, instance, 2, {}, Judge::LostAllocations);
  CHECK(dedicated.unconnected.empty());
  CHECK(text(dedicated).find("; 1: not connected; selected 0") != std::string::npos);
  instance.facts.edit().nics = {nic_on("net-c")};
  CHECK(text(anywhere(cluster, instance)) == "any group; 0 left out; 1 left out");
}

TEST_CASE("why there is nothing to try") {
  Cluster cluster = equal_groups({kPreferred, kPreferred});
  cluster.nodes[1].offline = true;
  CHECK(text(anywhere(cluster, newcomer(), 3)) ==
        "any group; 0: unsupported number of nodes; 1: unsupported number of nodes");
  CHECK(text(in_group(cluster, newcomer(), "g0", 0)) == "named group; 0: unsupported number of nodes");
  CHECK(text(in_group(cluster, newcomer(), "g0", 2)) == "named group; 0: not enough online nodes");
  CHECK(selected_group(in_group(cluster, newcomer(DiskTemplate::Plain), "g0", 1,
                                {.capacity_checks = false, .allowed_nodes = {}})) == 0);
  cluster.nodes[0].offline = true;
  CHECK(text(in_group(cluster, newcomer(), "g0", 1)) == "named group; 0: no online nodes");
  CHECK(text(in_group(cluster, newcomer(), "g0", 1, {}, Judge::LostAllocations)) == "named group; 0: no online nodes");
  CHECK(text(in_group(cluster, newcomer(), "g0", 2, {}, Judge::LostAllocations)) ==
        "named group; 0: not enough online nodes");

  // A group without nodes is not a candidate, but may be named in the request.
  cluster.groups.push_back(cluster.groups[0]);
  cluster.groups[2].name = "g2", cluster.groups[2].uuid = "u2";
  CHECK(anywhere(cluster, newcomer()).trials.size() == 2);
  CHECK(text(in_group(cluster, newcomer(), "g2", 1)) == "named group; 2: no online nodes");
}

TEST_CASE("only some nodes") {
  const Cluster cluster = equal_groups({kPreferred, kPreferred});
  const AllocationAnswer pair = anywhere(cluster, newcomer(), 2, only({"n0b", "n0a", "n1a", "elsewhere"}));
  CHECK(selected_group(pair) == 0);
  CHECK(text(pair).find("; 1: not enough online nodes") != std::string::npos);
  const AllocationAnswer single = anywhere(cluster, newcomer(DiskTemplate::Plain), 1, only({"n0a"}));
  CHECK(single.choice()->placement.primary == NodeIndex(0));
  CHECK(text(single).find("; 1: no online nodes") != std::string::npos);
  CHECK(text(anywhere(cluster, newcomer(), 1, only({}))) == "any group; 0: no online nodes; 1: no online nodes");
  CHECK(text(anywhere(cluster, newcomer(), 1, only({"n0", "N0A"}))) ==
        "any group; 0: no online nodes; 1: no online nodes");
}

TEST_CASE("target groups") {
  Cluster cluster = equal_groups({kPreferred, kPreferred, kPreferred});
  htools::prepare(cluster, {});
  const auto trials = [&](const std::vector<GroupIndex>& targets) {
    Trial trial(cluster);
    return allocate_anywhere(trial, literal::every_node(cluster), as_arrival(cluster, newcomer()), 2, {}, Judge::Score,
                             targets);
  };
  CHECK(selected_group(trials({GroupIndex(1), GroupIndex(0)})) == 1);
  CHECK(trials({GroupIndex(1), GroupIndex(0)}).trials.size() == 2);
  CHECK(trials({}).trials.empty());
}

TEST_CASE("answers on random clusters are those of the literal rules") {
  Random random(101);
  int chosen = 0, several = 0, unconnected = 0, named = 0, by_loss = 0;
  for (int round = 0; round < scaled(4000); ++round) {
    CAPTURE(round);
    const Judge judge = random.chance(30) ? Judge::LostAllocations : Judge::Score;
    Cluster cluster = htools::testing::random_allocation_cluster(
        random, judge == Judge::LostAllocations ? 100 : random.between(0, 30));
    const std::int64_t required_nodes = random.chance(3) ? 3 : random.between(1, 2);
    const Arrival arrival =
        as_arrival(cluster, htools::testing::random_newcomer(random, cluster, required_nodes == 1 ? 1 : 2));
    Nodes nodes;  // the nodes that count
    for (NodeIndex n : literal::every_node(cluster)) {
      if (random.chance(95)) nodes.push_back(n);
    }
    AllocationRules rules{.force = random.chance(20), .capacity_checks = random.chance(70), .allowed_nodes = {}};
    if (random.chance(20)) {
      rules.allowed_nodes.emplace();
      for (const Node& node : cluster.nodes) {
        if (random.chance(70)) rules.allowed_nodes->insert(node.facts->name);
      }
    }
    const std::string group = random.one_of(std::vector<std::string>{"g0", "u1", "g2"});
    const bool name_it = random.chance(30);
    const auto expected = [&] {
      return name_it ? literal::allocate_in_group(cluster, nodes, arrival, required_nodes, rules, judge, group)
                     : literal::allocate_anywhere(cluster, nodes, arrival, required_nodes, rules, judge);
    };
    Trial trial(cluster);
    const auto found = [&] {
      return name_it ? allocate_in_group(trial, nodes, arrival, required_nodes, rules, judge, group)
                     : allocate_anywhere(trial, nodes, arrival, required_nodes, rules, judge);
    };
    AllocationAnswer answer;
    try {
      answer = expected();
    } catch (const literal::NodeMissing&) {  // the secondary is not among the nodes that count
      REQUIRE_THROWS_AS(found(), htools::InputError);
      continue;
    }
    REQUIRE(text(found()) == text(answer));
    REQUIRE(difference(trial.cluster(), cluster) == "");
    chosen += answer.selected.has_value();
    named += name_it && answer.selected;
    unconnected += !answer.unconnected.empty();
    by_loss += judge == Judge::LostAllocations && answer.selected;
    several += answer.trials.size() > 1 && answer.selected;
  }
  for (const int count : {chosen, several, unconnected, named, by_loss}) CHECK(count > scaled_tally(200));
}

}  // namespace htools::group_allocation_test
