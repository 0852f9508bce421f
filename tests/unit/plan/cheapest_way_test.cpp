#include "plan/cheapest_way.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/small_groups.h"

namespace htools::cheapest_way_test {

namespace {

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2}, kNone = NodeIndex::none();
constexpr InstanceIndex kMirrored{0}, kShared{1};

// Returns three nodes with room for all instances: a mirrored one with 1000 MiB of memory and 5000 MiB of disk, a
// shared one with 500 MiB of memory, and so many without memory.
Cluster roomy_cluster(int others = 0) {
  std::string text =
      "g|u|preferred||\n\n"
      "n0|65536|0|64036|102400|97400|8|N|u|1\n"
      "n1|65536|0|65536|102400|97400|8|N|u|1\n"
      "n2|65536|0|65536|102400|102400|8|N|u|1\n\n"
      "mirrored|1000|5000|1|running|Y|n0|n1|drbd||1\n"
      "shared|500|5000|1|running|Y|n0||rbd||1\n";
  for (int i = 0; i < others; ++i) text += "other" + std::to_string(i) + "|0|0|1|running|Y|n0||rbd||1\n";
  Cluster cluster = read_text_cluster(text + "\n", "x.data");
  prepare(cluster, {});
  return cluster;
}

// Looks for a way after which both instances are at these places.
struct Goal {
  Placement mirrored, shared;
  std::size_t most_states = 300, most_targets = 3, most_steps = 10;
  std::optional<WayPrice> below = {};

  std::optional<Way> way() const {
    Trial trial(roomy_cluster());
    const GroupMembers members = members_of(trial.cluster(), GroupIndex(0));
    const MoveRules rules;
    const auto is_there = [&](Trial& t) {
      return placement_of(t.cluster().instance(kMirrored)) == mirrored &&
             placement_of(t.cluster().instance(kShared)) == shared;
    };
    return cheapest_way(trial,
                        {.members = members,
                         .movers = members.instances,
                         .rules = rules,
                         .most_states = most_states,
                         .most_targets = most_targets,
                         .most_steps = most_steps,
                         .below = below},
                        is_there);
  }
};

}  // namespace

TEST_CASE("prices are added by their parts, and compared by copies, steps and migrations in this order") {
  WayPrice price{1, 2, 3};
  CHECK((price += {10, 20, 30}) == WayPrice{11, 22, 33});
  CHECK(WayPrice{1, 9, 9} < WayPrice{2, 0, 0});
  CHECK(WayPrice{1, 1, 9} < WayPrice{1, 2, 0});
  CHECK(WayPrice{1, 1, 1} < WayPrice{1, 1, 2});
}

TEST_CASE("the cheapest way is found, with its price and its scores") {
  const std::optional<Way> way = Goal{{kN1, kN2}, {kN2, kNone}}.way();
  REQUIRE(way);
  // One move brings the mirrored instance there: a failover, and then a copy to the new secondary.
  CHECK(way->price == WayPrice{5000, 2, 1500});
  REQUIRE(way->steps.size() == 2);
  Trial trial(roomy_cluster());
  const GroupMembers members = members_of(trial.cluster(), GroupIndex(0));
  for (const BalanceStep& s : way->steps) {
    CHECK(is_allowed(trial.cluster(), s, false));
    trial.apply(s.instance, s.move);
    CHECK(s.score == score(member_nodes(trial.cluster(), members)));
  }
}

TEST_CASE("no way is needed where the goal is reached already") {
  const std::optional<Way> way = Goal{{kN0, kN1}, {kN0, kNone}}.way();
  REQUIRE(way);
  CHECK(way->steps.empty());
  CHECK(way->price == WayPrice{});
}

TEST_CASE("ways that are not below a price are none") {
  Goal goal{{kN1, kN0}, {kN0, kNone}};
  goal.below = WayPrice{0, 1, 1001};
  REQUIRE(goal.way());
  CHECK(goal.way()->price == WayPrice{0, 1, 1000});
  goal.below = WayPrice{0, 1, 1000};
  CHECK_FALSE(goal.way());
}

TEST_CASE("a search ends after so many states, and at ways that are so long") {
  Goal goal{{kN1, kN0}, {kN2, kNone}};
  CHECK(goal.way());
  goal.most_states = 2;  // the start, and one of the ways of a single step
  CHECK_FALSE(goal.way());
  goal.most_states = 300;
  goal.most_steps = 1;
  CHECK_FALSE(goal.way());
  goal.most_steps = 2;
  CHECK(goal.way());
}

TEST_CASE("a search without a way ends when all states were looked at") {
  Goal goal{{kN0, kN0}, {kN0, kNone}};  // no instance has the same node twice
  goal.most_states = 100'000;
  goal.most_steps = 2;
  CHECK_FALSE(goal.way());
}

TEST_CASE("of each kind of move, only those to the emptiest nodes are tried") {
  // n2 has the most free memory; the goal is n1.
  Goal goal{{kN0, kN1}, {kN1, kNone}};
  goal.most_steps = 1;
  CHECK(goal.way());
  goal.most_targets = 1;
  Goal emptiest{{kN0, kN1}, {kN2, kNone}};
  emptiest.most_steps = emptiest.most_targets = 1;
  // n1 and n2 have equal free memory, and the first of them is tried.
  CHECK(goal.way());
  CHECK_FALSE(emptiest.way());
}

TEST_CASE("small groups have at most 24 instances") {
  const auto has_order = [](int others) {
    Trial trial(roomy_cluster(others));
    const GroupMembers members = members_of(trial.cluster(), GroupIndex(0));
    return cheapest_order(trial, members, {{kMirrored, {kN1, kN0}}}, {}, std::nullopt).has_value();
  };
  CHECK(has_order(22));
  CHECK_FALSE(has_order(23));
}

}  // namespace htools::cheapest_way_test
