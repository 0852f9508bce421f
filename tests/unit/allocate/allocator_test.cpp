#include "allocate/allocator.h"

#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cluster/prepare.h"
#include "htools/errors.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_allocator.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::allocator_test {

namespace {

using htools::AllocationRequest;
using htools::AllocationRules;
using htools::AllocatorRequest;
using htools::AllocatorResult;
using htools::AllocatorState;
using htools::AllocPolicy;
using htools::Cluster;
using htools::DiskTemplate;
using htools::EvacuationMode;
using htools::EvacuationRequest;
using htools::Group;
using htools::GroupChangeRequest;
using htools::GroupIndex;
using htools::Instance;
using htools::InstanceIndex;
using htools::MultiAllocationRequest;
using htools::Node;
using htools::NodeIndex;
using htools::RelocationRequest;
using htools::SecondaryRequest;
using htools::Trial;
using htools::uses_lost_allocations;
using htools::testing::difference;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::text;
namespace literal = htools::testing::literal;
using literal::Nodes;
using Instances = std::vector<InstanceIndex>;

Instances all_instances(const Cluster& cluster) {
  Instances list;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) list.push_back(InstanceIndex(i));
  return list;
}

// ---- At random

Cluster random_cluster(Random& random) {
  Cluster cluster =
      htools::testing::random_allocation_cluster(random, random.one_of(std::vector<std::int64_t>{0, 50, 100}));
  for (Node& node : cluster.nodes) {  // some groups have exclusive storage
    if (node.facts->group == GroupIndex(0) && cluster.groups[0].networks.empty())
      node.facts.edit().exclusive_storage = true;
  }
  htools::prepare(cluster, {});
  return cluster;
}

AllocationRequest random_allocation(Random& random, const Cluster& cluster) {
  AllocationRequest request;
  request.required_nodes = random.chance(2) ? 3 : random.between(1, 2);
  request.instance = htools::testing::random_newcomer(random, cluster, request.required_nodes);
  if (random.chance(15)) {
    request.allowed_nodes.emplace();
    for (const Node& node : cluster.nodes) {
      if (random.chance(80)) request.allowed_nodes->push_back(node.facts->name);
    }
  }
  return request;
}

std::optional<std::string> random_group(Random& random) {
  if (random.chance(50)) return std::nullopt;
  return random.one_of(std::vector<std::string>{"g0", "g0", "g1", "g2", "u0", "u1", "g3"});
}

AllocatorRequest random_request(Random& random, const Cluster& cluster) {
  const std::size_t kind = random.index(cluster.instances.empty() ? 2 : 6);
  const auto some_instance = [&] { return InstanceIndex(random.index(cluster.instances.size())); };
  const auto some_node = [&] { return NodeIndex(random.index(cluster.nodes.size())); };
  switch (kind) {
    case 0: {
      AllocationRequest request = random_allocation(random, cluster);
      request.group = random_group(random);
      return request;
    }
    case 1: {
      MultiAllocationRequest request;
      const auto group = random_group(random);
      for (std::int64_t count = random.between(0, 4); count > 0; --count) {
        request.allocations.push_back(random_allocation(random, cluster));
        request.allocations.back().group = group;
        request.allocations.back().instance.facts.edit().name += std::to_string(count);
      }
      return request;
    }
    case 2:
      return SecondaryRequest{some_instance()};
    case 3: {
      const InstanceIndex i = some_instance();
      const Instance& instance = cluster.instance(i);
      Nodes from{instance.facts->has_secondary() ? instance.secondary : instance.primary};
      if (random.chance(10)) from = {some_node()};
      if (random.chance(5)) from.push_back(some_node());
      return RelocationRequest{i, random.chance(5) ? 2 : 1, from};
    }
    case 4:
      return EvacuationRequest{{some_instance()}, static_cast<EvacuationMode>(random.index(3))};
    default:
      return GroupChangeRequest{{some_instance()}, {}};
  }
}

// ---- By hand

// Returns groups g0, g1, ... with UUIDs u0, u1, ... Each letter is a node: "e" has exclusive storage, "n" does not.
Cluster groups_of(const std::vector<std::string>& groups, const std::vector<std::size_t>& unallocable = {}) {
  Cluster cluster;
  for (const std::string& kinds : groups) {
    Group group;
    group.name = "g" + std::to_string(cluster.groups.size());
    group.uuid = "u" + std::to_string(cluster.groups.size());
    group.policy.minmax.clear();
    cluster.groups.push_back(group);
    for (const char kind : kinds) {
      Node node;
      node.facts.edit().name = "n" + std::to_string(cluster.nodes.size());
      node.facts.edit().group = GroupIndex(cluster.groups.size() - 1);
      node.facts.edit().exclusive_storage = kind == 'e';
      node.facts.edit().total_memory = 65536, node.facts.edit().free_memory = 65536;
      node.facts.edit().total_disk = 40970, node.facts.edit().free_disk = 40970;
      node.facts.edit().total_cpus = 8, node.facts.edit().node_cpus = 0;
      node.facts.edit().spindles = node.facts.edit().free_spindles = 8;
      cluster.nodes.push_back(node);
    }
  }
  for (std::size_t g : unallocable) cluster.groups[g].alloc_policy = AllocPolicy::Unallocable;
  htools::prepare(cluster, {});
  return cluster;
}

// Returns a request for a plain instance with `size` GiB of memory and `size` times 10 GiB of disk.
AllocationRequest plain(std::int64_t size, const std::optional<std::string>& group = std::nullopt) {
  AllocationRequest request;
  request.group = group;
  request.instance.facts.edit().name = "new";
  request.instance.facts.edit().memory = 1024 * size;
  request.instance.facts.edit().disk = 10240 * size;
  request.instance.facts.edit().vcpus = 1;
  request.instance.facts.edit().disks = {{10240 * size, size}};
  request.instance.facts.edit().disk_template = DiskTemplate::Plain;
  return request;
}

MultiAllocationRequest several(const std::vector<std::int64_t>& sizes,
                               const std::optional<std::string>& group = std::nullopt) {
  MultiAllocationRequest request;
  for (std::int64_t size : sizes) request.allocations.push_back(plain(size, group));
  return request;
}

struct Answered {
  AllocatorState state;
  const Cluster& cluster = state.cluster();
  std::string words_of_result;

  Answered(const Cluster& start, const AllocatorRequest& request)
      : state{Trial(start), literal::every_node(start), all_instances(start)} {
    AllocationRules rules;
    rules.capacity_checks = false;
    const AllocatorResult result = answer_request(state, request, rules);
    words_of_result = std::visit([](const auto& kind) { return text(kind); }, result);
  }
};

}  // namespace

TEST_CASE("when lost allocations judge") {
  const auto named = [](const std::string& group) { return plain(1, group); };
  const auto one = plain(1);
  struct Case {
    std::string what;
    Cluster cluster;
    AllocatorRequest request;
    bool expected;
  };
  const std::vector<Case> cases{
      {"all nodes have exclusive storage", groups_of({"ee", "e"}), one, true},
      {"one has not", groups_of({"ee", "en"}), one, false},
      {"it is in a group that cannot be used", groups_of({"ee", "en"}, {1}), one, true},
      {"the named group has, though it cannot be used", groups_of({"e", "n"}, {0}), named("g0"), true},
      {"the named group has not", groups_of({"e", "n"}), named("g1"), false},
      {"no group can be used", groups_of({"n", "n"}, {0, 1}), one, true},
      {"there are no nodes", groups_of({"", ""}), one, true},
      {"the named group has no nodes", groups_of({"n", ""}), named("g1"), true},
      {"the named group does not exist", groups_of({"n"}), named("g9"), true},
      {"UUIDs are no names", groups_of({"n"}), named("u0"), true},
      {"several, the first names a group", groups_of({"e", "n"}), several({1, 1}, "g0"), true},
      {"several in any group", groups_of({"e", "n"}), several({1}), false},
      {"several, but none", groups_of({"e", "n"}), several({}, "g0"), false},
      {"several, but none, on exclusive storage", groups_of({"e", "e"}), several({}), true},
      {"other requests", groups_of({"e"}), SecondaryRequest{InstanceIndex(0)}, false},
      {"other requests", groups_of({"e"}), EvacuationRequest{}, false},
      {"other requests", groups_of({"e"}), GroupChangeRequest{}, false},
      {"other requests", groups_of({"e"}), RelocationRequest{}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(uses_lost_allocations(c.cluster, c.request) == c.expected);
  }
  Cluster offline = groups_of({"en"});
  offline.nodes[1].offline = true;
  CHECK_FALSE(uses_lost_allocations(offline, one));
}

TEST_CASE("one new instance comes first, with no index on its node") {
  Cluster start = groups_of({"nn"});
  start.instances.push_back(plain(1).instance);
  start.instances[0].primary = NodeIndex(1);
  htools::prepare(start, {});
  const Answered answered(start, plain(2));
  CHECK(answered.state.instances == Instances{InstanceIndex(1), InstanceIndex(0)});
  REQUIRE(answered.cluster.instances.size() == 2);
  CHECK(answered.cluster.instances[1].primary == NodeIndex(0));
  CHECK(answered.cluster.nodes[0].primaries == Instances{InstanceIndex::none()});
  CHECK(answered.state.nodes == Nodes{NodeIndex(0), NodeIndex(1)});
  // A request for a named group leaves only the nodes of that group in the state.
  CHECK(Answered(groups_of({"nn", "nn"}), plain(1, "g1")).state.nodes == Nodes{NodeIndex(2), NodeIndex(3)});
}

TEST_CASE("several new instances come last, each where the earlier ones have left room") {
  Cluster start = groups_of({"nn", "nn"});
  start.instances.push_back(plain(1).instance);
  start.instances[0].primary = NodeIndex(0);
  htools::prepare(start, {});
  const Answered answered(start, several({3, 3, 3}));
  CHECK(answered.words_of_result == "3/-; 2/-; 1/-; ");
  CHECK(answered.state.instances == Instances{InstanceIndex(0), InstanceIndex(1), InstanceIndex(2), InstanceIndex(3)});
  CHECK(answered.cluster.nodes[3].primaries == Instances{InstanceIndex(1)});
  CHECK(answered.cluster.nodes[1].primaries == Instances{InstanceIndex(3)});
  CHECK(answered.state.nodes.size() == 4);
}

TEST_CASE("several: without a group all fail with one, in a group one by one") {
  const Cluster start = groups_of({"n", "n"});
  const Answered all(start, several({3, 5, 1}));
  CHECK(
      all.words_of_result.starts_with("failed with any group; 0: 0 successes, 1 FailDisk; 1: 0 successes, 1 FailDisk"));
  CHECK(difference(all.cluster, start) == "");
  CHECK(all.state.nodes == literal::every_node(start));
  CHECK(all.state.instances.empty());

  const Answered each(start, several({3, 5, 1}, "g1"));
  CHECK(each.words_of_result == "1/-; named group; 1: 0 successes, 1 FailDisk; 1/-; ");
  CHECK(each.state.nodes == Nodes{NodeIndex(1)});
  CHECK(each.state.instances == Instances{InstanceIndex(0), InstanceIndex(1)});

  // A problem with the group is the answer to all instances.
  CHECK(Answered(start, several({1}, "g2")).words_of_result == "failed with unknown group");
  MultiAllocationRequest pair = several({1, 1}, "g1");
  pair.allocations[1].required_nodes = 2;
  const Answered unpaired(start, pair);
  CHECK(unpaired.words_of_result == "failed with named group; 1: not enough online nodes");
  CHECK(difference(unpaired.cluster, start) == "");
  CHECK(unpaired.state.nodes == literal::every_node(start));

  CHECK(Answered(start, several({})).words_of_result == "");
}

TEST_CASE("several on exclusive storage: all in the group of the first") {
  const Cluster start = groups_of({"ee", "ee"});
  const Answered two(start, several({4, 4}));
  CHECK(two.words_of_result == "by loss: 3/-; 2/-; ");
  CHECK(two.state.nodes == Nodes{NodeIndex(2), NodeIndex(3)});
  const Answered three(start, several({4, 4, 4}));
  CHECK(three.words_of_result == "failed with any group; 1: 0 successes, 2 FailDisk");
  CHECK(difference(three.cluster, start) == "");
  CHECK(three.state.nodes == literal::every_node(start));
}

TEST_CASE("several in a named group on exclusive storage: each finds the nodes as they were") {
  const Answered answered(groups_of({"ee", "ee"}), several({4, 4, 9, 1}, "g0"));
  CHECK(answered.words_of_result == "by loss: 1/-; 1/-; named group; 0: 0 successes, 2 FailDisk; 1/-; ");
  CHECK(answered.state.nodes == Nodes{NodeIndex(0), NodeIndex(1)});
  CHECK(answered.state.instances.size() == 3);
  // The nodes show only the last place.
  CHECK(answered.cluster.nodes[1].primaries == Instances{InstanceIndex(2)});
  CHECK(answered.cluster.nodes[1].books.real.free_disk == 40970 - 10240);
  // A failure at the end does not remove it.
  const Answered failure(groups_of({"e"}), several({4, 9}, "g0"));
  CHECK(failure.cluster.nodes[0].primaries == Instances{InstanceIndex(0)});
}

TEST_CASE("restrictions: those of the rules before those of the request, which several instances do not have") {
  Cluster cluster = groups_of({"nnn"});
  AllocationRequest request = plain(1);
  request.allowed_nodes = {"n0"};
  MultiAllocationRequest multi{{request}};
  AllocationRules rules;
  rules.capacity_checks = false;
  const auto node_of = [&](const AllocatorRequest& asked) {
    AllocatorState state{Trial(cluster), literal::every_node(cluster), {}};
    answer_request(state, asked, rules);
    return state.cluster().instances.at(0).primary;
  };
  CHECK(node_of(request) == NodeIndex(0));
  CHECK(node_of(multi) == NodeIndex(2));
  rules.allowed_nodes = std::set<std::string>{"n1"};
  CHECK(node_of(request) == NodeIndex(1));
  CHECK(node_of(multi) == NodeIndex(1));
}

TEST_CASE("a secondary for an instance that had none") {
  Cluster start = groups_of({"nnn", "n"});
  start.instances.push_back(plain(1).instance);
  start.instances[0].primary = NodeIndex(1);
  start.nodes[0].facts.edit().free_disk = 0;
  start.nodes[2].offline = true;  // an offline node may be the secondary
  htools::prepare(start, {});
  const Answered answered(start, SecondaryRequest{InstanceIndex(0)});
  CHECK(answered.words_of_result.starts_with("1 successes, 1 FailDisk, best 1/2 "));
  CHECK(answered.cluster.instances[0].facts->disk_template == DiskTemplate::Drbd);
  CHECK(answered.cluster.instances[0].secondary == NodeIndex(2));
  CHECK(answered.cluster.nodes[1].primaries == Instances{InstanceIndex(0)});
  CHECK(answered.cluster.nodes[2].secondaries == Instances{InstanceIndex(0)});
  CHECK(answered.state.nodes.size() == 4);
  CHECK(answered.state.instances == Instances{InstanceIndex(0)});
  CHECK(Answered(answered.cluster, SecondaryRequest{InstanceIndex(0)}).words_of_result == "has a secondary");

  Cluster alone = groups_of({"n", "n"});
  alone.instances.push_back(plain(1).instance);
  alone.instances[0].primary = NodeIndex(0);
  htools::prepare(alone, {});
  const Answered nowhere(alone, SecondaryRequest{InstanceIndex(0)});
  CHECK(nowhere.words_of_result == "0 successes");
  CHECK(difference(nowhere.cluster, alone) == "");
}

TEST_CASE("relocations: what they refuse, in order") {
  Cluster start = groups_of({"nnn"});
  for (const DiskTemplate disk_template : {DiskTemplate::Plain, DiskTemplate::Drbd, DiskTemplate::Ext}) {
    start.instances.push_back(plain(1).instance);
    start.instances.back().facts.edit().name += std::to_string(start.instances.size());
    start.instances.back().facts.edit().disk_template = disk_template;
    start.instances.back().primary = NodeIndex(0);
  }
  start.instances[1].secondary = NodeIndex(1);
  htools::prepare(start, {});
  const auto relocated = [&](std::size_t i, std::int64_t required, const Nodes& from) {
    return Answered(start, RelocationRequest{InstanceIndex(i), required, from}).words_of_result;
  };
  const NodeIndex first(0), second(1);
  CHECK(relocated(0, 2, {first}) == "node count");
  CHECK(relocated(0, 1, {first}) == "not mirrored");
  CHECK(relocated(1, 1, {first}) == "not on these nodes, but on 1");
  CHECK(relocated(1, 1, {second, second}) == "not on these nodes, but on 1");
  CHECK(relocated(1, 1, {}) == "not on these nodes, but on 1");
  CHECK(relocated(1, 1, {second}) == "to 2");
  CHECK(relocated(2, 1, {second}) == "not on these nodes, but on 0");
  CHECK(relocated(2, 1, {first}) == "to 2");
}

TEST_CASE("answers to random requests are the literal ones, and so is what they leave") {
  Random random(151);
  std::vector<int> answered(6), changed(6);
  for (int round = 0; round < scaled(4000); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    const AllocatorRequest request = random_request(random, cluster);
    CAPTURE(request.index());
    AllocationRules rules{.force = random.chance(20), .capacity_checks = random.chance(60), .allowed_nodes = {}};
    if (random.chance(10)) rules.allowed_nodes = std::set<std::string>{"n0", "n1", "n2"};
    literal::State expected{cluster, literal::every_node(cluster), all_instances(cluster)};
    AllocatorState state{Trial(cluster), expected.nodes, expected.instances};
    std::string result;
    try {
      result = std::visit([&](const auto& asked) { return literal::answer(expected, asked, rules); }, request);
    } catch (const literal::NodeMissing&) {
      REQUIRE_THROWS_AS(answer_request(state, request, rules), htools::InputError);
      continue;
    }
    const AllocatorResult found = answer_request(state, request, rules);
    REQUIRE(std::visit([](const auto& kind) { return text(kind); }, found) == result);
    REQUIRE(difference(state.cluster(), expected.cluster) == "");
    REQUIRE(state.nodes == expected.nodes);
    REQUIRE(state.instances == expected.instances);
    ++answered[request.index()];
    changed[request.index()] += difference(state.cluster(), cluster) != "";
  }
  for (const int count : answered) CHECK(count > scaled_tally(300));
  for (const int count : changed) CHECK(count > scaled_tally(40));
}

}  // namespace htools::allocator_test
