#include "report/group_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace htools;

TEST_CASE("the group table") {
  Cluster c;
  c.groups.resize(3);
  c.groups[0].name = "alpha";
  c.groups[1].name = "not asked for";
  c.groups[2].name = "été";
  std::vector<GroupSummary> summaries{
      {.group = GroupIndex(2), .nodes = 12, .instances = 1000000000, .bad_nodes = 2, .bad_instances = 30, .score = 1.5},
      {.group = GroupIndex(0), .nodes = 1}};
  CHECK(format_group_table(c, summaries) ==
        "   Group Nodes  Instances Bad_Nodes Bad_Instances N+1        Score\n"
        "   été      12 1000000000         2            30 False 1.50000000\n"
        "   alpha     1          0         0             0 True  0.00000000\n");

  summaries = {{.group = GroupIndex(0), .score = std::nan("")}};
  CHECK(format_group_table(c, summaries) ==
        "   Group Nodes Instances Bad_Nodes Bad_Instances N+1  Score\n"
        "   alpha     0         0         0             0 True   NaN\n");

  CHECK(format_group_table(c, {}) == "   Group Nodes Instances Bad_Nodes Bad_Instances N+1 Score\n");
}

TEST_CASE("a group is N+1 happy without bad nodes") {
  CHECK(GroupSummary{.group = GroupIndex(0), .nodes = 2}.is_n1_happy());
  CHECK_FALSE(GroupSummary{.group = GroupIndex(0), .nodes = 2, .bad_nodes = 1}.is_n1_happy());
}
