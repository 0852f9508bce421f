#include "examine/health_statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "metric/statistics.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::health_statistics_test {

using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

namespace {

using Numbers = std::vector<std::int64_t>;

Node node(std::size_t group, bool offline) {
  Node n;
  n.facts.edit().group = GroupIndex(group);
  n.offline = offline;
  n.books.n1_failed = false;
  return n;
}

// Returns two groups with nodes and one without. The books of the nodes are set by hand.
Cluster three_groups() {
  Cluster c;
  c.groups.resize(3);
  for (std::size_t i = 0; i < 3; ++i) c.groups[i].name = "g" + std::to_string(i);
  c.nodes = {node(0, false), node(2, true), node(0, false), node(2, true), node(2, false)};
  c.nodes[0].books.n1_failed = true;
  c.nodes[0].books.tag_conflicts = 3;
  c.nodes[1].books.n1_failed = true;  // offline nodes do not count
  c.nodes[1].books.tag_conflicts = 1;
  c.nodes[1].primaries = {InstanceIndex(0), InstanceIndex(2)};
  c.nodes[1].secondaries = {InstanceIndex(1)};
  c.nodes[3].primaries = {InstanceIndex(3)};
  c.nodes[4].primaries = {InstanceIndex(1)};
  c.instances.resize(4);
  for (const std::size_t i : {0U, 2U}) c.instances[i].primary = NodeIndex(1);
  c.instances[1].primary = NodeIndex(4);
  c.instances[3].primary = NodeIndex(3);
  return c;
}

// Returns a cluster in which a drbd instance has no secondary.
Cluster incomplete_cluster() {
  Cluster c;
  c.groups.resize(1);
  c.nodes = {node(0, false), node(0, false)};
  c.instances.resize(1);
  c.instances[0].facts.edit().name = "lonely";
  c.instances[0].facts.edit().disk_template = DiskTemplate::Drbd;
  c.instances[0].primary = NodeIndex(0);
  c.nodes[0].primaries = {InstanceIndex(0)};
  return c;
}

}  // namespace

TEST_CASE("each group with nodes is counted by itself") {
  Cluster c = three_groups();
  const std::vector<GroupStatistics> groups = health_statistics(c, false);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].group == GroupIndex(0));
  CHECK(groups[0].counts == Numbers{1, 1, 0, 0});
  CHECK(groups[1].group == GroupIndex(2));
  // The fourth count is that of offline nodes, not of instances.
  CHECK(groups[1].counts == Numbers{0, 1, 3, 2});
  CHECK(summed_counts(groups) == Numbers{1, 2, 3, 2});
}

TEST_CASE("without groups there are no sums") {
  Cluster c;
  c.groups.resize(2);
  CHECK(health_statistics(c, true).empty());
  CHECK(summed_counts({}).empty());
}

TEST_CASE("a count that cannot be made ends the counts, and there is no sum") {
  Cluster c = incomplete_cluster();
  const std::vector<GroupStatistics> groups = health_statistics(c, true);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].counts == Numbers{0, 0, 0, 0});
  REQUIRE(groups[0].failure);
  CHECK(std::string(groups[0].failure->what()).find("'lonely'") != std::string::npos);
  CHECK_THROWS_AS(summed_counts(groups), InputError);
  CHECK(summed_counts(health_statistics(c, false)) == Numbers{0, 0, 0, 0});
}

TEST_CASE("stuck nodes are those that vacating step by step does not empty, and nothing changes") {
  Random random(901);
  std::int64_t stuck = 0, vacatable = 0;
  for (int round = 0; round < scaled(150); ++round) {
    CAPTURE(round);
    Cluster cluster = testing::random_cluster(random, testing::random_shape(random));
    for (Instance& instance : cluster.instances) {
      // Drbd instances without a secondary, or in two groups, cannot be judged, so they become external ones.
      const bool split = !instance.secondary.is_none() &&
                         cluster.node(instance.primary).facts->group != cluster.node(instance.secondary).facts->group;
      if (instance.facts->has_secondary() && (instance.secondary.is_none() || split))
        instance.facts.edit().disk_template = DiskTemplate::Ext;
    }
    const Cluster before = cluster;
    for (const GroupStatistics& statistics : health_statistics(cluster, true)) {
      const std::vector<NodeIndex> nodes = members_of(cluster, statistics.group).nodes;
      const auto literal = std::count_if(nodes.begin(), nodes.end(),
                                         [&](NodeIndex n) { return !testing::literal::vacatable(cluster, nodes, n); });
      REQUIRE(statistics.counts.size() == kHealthCounterCount);
      REQUIRE(statistics.counts.back() == literal);
      stuck += literal;
      vacatable += static_cast<std::int64_t>(nodes.size()) - literal;
    }
    REQUIRE(testing::difference(before, cluster) == "");
  }
  CHECK(stuck > scaled_tally(100));
  CHECK(vacatable > scaled_tally(100));
}

TEST_CASE("members by group are those of each group") {
  Random random(903);
  ClusterShape shape;
  shape.groups = 4;
  Cluster cluster = testing::random_cluster(random, shape);
  cluster.groups.emplace_back();  // this group has no nodes
  const std::vector<GroupMembers> members = members_by_group(cluster);
  REQUIRE(members.size() == cluster.groups.size());
  for (std::size_t g = 0; g < members.size(); ++g) {
    const GroupMembers expected = members_of(cluster, GroupIndex(g));
    CHECK(members[g].nodes == expected.nodes);
    CHECK(members[g].instances == expected.instances);
  }
}

}  // namespace htools::health_statistics_test
