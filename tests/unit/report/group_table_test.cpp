#include "report/group_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace htools::group_table_test {

TEST_CASE("the group table") {
  Cluster c;
  c.groups.resize(3);
  c.groups[0].name = "alpha";
  c.groups[1].name = "not asked for";
  c.groups[2].name = "été";
  GroupExamination first, second;
  first.group = GroupIndex(2);
  second.group = GroupIndex(0);
  first.nodes.resize(12);
  first.instances.resize(1000);
  first.bad_nodes.resize(2);
  first.bad_instances.resize(30);
  first.score.value = 1.5;
  second.nodes.resize(1);
  CHECK(format_group_table(c, std::vector{first, second}) ==
        "   Group Nodes Instances Bad_Nodes Bad_Instances N+1        Score\n"
        "   été      12      1000         2            30 False 1.50000000\n"
        "   alpha     1         0         0             0 True  0.00000000\n");

  second.nodes.clear();
  second.score.value = std::nan("");
  CHECK(format_group_table(c, std::vector{second}) ==
        "   Group Nodes Instances Bad_Nodes Bad_Instances N+1  Score\n"
        "   alpha     0         0         0             0 True   NaN\n");

  CHECK(format_group_table(c, {}) == "   Group Nodes Instances Bad_Nodes Bad_Instances N+1 Score\n");
}

TEST_CASE("a group or a cluster is N+1 safe without bad nodes") {
  GroupExamination group;
  group.nodes.resize(2);
  CHECK(group.is_n1_safe());
  Examination cluster;
  cluster.groups = {group};
  CHECK(cluster.is_n1_safe());
  group.bad_nodes.resize(1);
  CHECK_FALSE(group.is_n1_safe());
  cluster.groups.push_back(group);
  CHECK_FALSE(cluster.is_n1_safe());
}

}  // namespace htools::group_table_test
