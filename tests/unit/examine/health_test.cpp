#include "examine/health.h"

#include <doctest/doctest.h>

#include <limits>

#include "cluster/group_lookup.h"

namespace htools::health_test {

namespace {

using Nodes = std::vector<NodeIndex>;
using Instances = std::vector<InstanceIndex>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Node healthy_node() {
  Node node;
  node.facts.edit().group = GroupIndex(0);
  node.books.n1_failed = false;
  node.facts.edit().max_instance_spindles = 32;
  return node;
}

Cluster four_nodes() {
  Cluster c;
  c.nodes.assign(4, healthy_node());
  return c;
}

const GroupMembers kAllNodes{{NodeIndex(0), NodeIndex(1), NodeIndex(2), NodeIndex(3)}, {}};

Group group(const char* name, const char* uuid) {
  Group g;
  g.name = name;
  g.uuid = uuid;
  return g;
}

}  // namespace

TEST_CASE("bad nodes are online nodes that fail N+1; their instances count once") {
  Cluster c = four_nodes();
  for (const std::size_t n : {1U, 2U, 3U}) c.nodes[n].books.n1_failed = true;
  c.nodes[2].offline = true;
  c.nodes[0].primaries = {InstanceIndex(9)};
  c.nodes[1].primaries = {InstanceIndex(5), InstanceIndex(2)};
  c.nodes[2].primaries = {InstanceIndex(8)};
  c.nodes[3].primaries = {InstanceIndex(7)};
  c.nodes[3].secondaries = {InstanceIndex(2), InstanceIndex(5)};
  const GroupHealth health = group_health(c, kAllNodes);
  CHECK(health.bad_nodes == Nodes{NodeIndex(1), NodeIndex(3)});
  CHECK(health.bad_instances == Instances{InstanceIndex(2), InstanceIndex(5), InstanceIndex(7)});
  CHECK(health.other_nodes == Nodes{NodeIndex(0), NodeIndex(2)});
  // Nodes of other groups are ignored.
  CHECK(group_health(c, {{NodeIndex(0), NodeIndex(2)}, {}}).bad_nodes.empty());
}

TEST_CASE("a bad node with a value that is no number is among the others, too") {
  Cluster c = four_nodes();
  c.nodes[1].books.n1_failed = c.nodes[2].books.n1_failed = true;
  c.nodes[1].books.forthcoming.memory_ratio = kNan;
  const GroupHealth health = group_health(c, kAllNodes);
  CHECK(health.bad_nodes == Nodes{NodeIndex(1), NodeIndex(2)});
  CHECK(health.other_nodes == Nodes{NodeIndex(0), NodeIndex(1), NodeIndex(3)});
}

TEST_CASE("ratios of the policy: spindles first, limits themselves are allowed") {
  Node node = healthy_node();
  node.books.real.instance_spindles = 32;
  node.books.real.vcpu_ratio = 4;
  CHECK_FALSE(policy_violation(node));
  node.books.real.vcpu_ratio = 4.01;
  CHECK(policy_violation(node) == FailMode::Cpu);
  node.books.real.instance_spindles = 33;
  CHECK(policy_violation(node) == FailMode::Disk);
  node.books.real.instance_spindles = node.books.real.vcpu_ratio = kNan;
  CHECK_FALSE(policy_violation(node));
}

TEST_CASE("groups are found by exactly one name or UUID") {
  Cluster c;
  c.groups = {group("a", "1"), group("b", "2"), group("2", "3")};
  CHECK(find_group(c, "a") == GroupIndex(0));
  CHECK(find_group(c, "1") == GroupIndex(0));
  CHECK(find_group(c, "3") == GroupIndex(2));
  CHECK_FALSE(find_group(c, "2"));
  CHECK_FALSE(find_group(c, "c"));
  CHECK_FALSE(find_group(c, ""));
}

TEST_CASE("groups without nodes, and instances of two groups") {
  Cluster c = four_nodes();
  c.groups = {group("a", "1"), group("b", "2"), group("c", "3")};
  c.nodes[3].facts.edit().group = GroupIndex(2);
  CHECK(groups_with_nodes(c) == std::vector<GroupIndex>{GroupIndex(0), GroupIndex(2)});
  c.instances.resize(3);
  for (Instance& instance : c.instances) instance.primary = NodeIndex(0);
  c.instances[1].secondary = NodeIndex(1);
  c.instances[2].secondary = NodeIndex(3);
  CHECK(split_instances(c) == Instances{InstanceIndex(2)});
}

}  // namespace htools::health_test
