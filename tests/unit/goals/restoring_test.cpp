#include "goals/restoring.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/data_copies.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "trial/trial.h"

namespace htools::restoring_test {

namespace {

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2}, kN3{3}, kNone = NodeIndex::none();
constexpr InstanceIndex kSmall{0}, kLarge{1}, kShared{2};
const std::vector<GroupIndex> kGroup{GroupIndex(0)};

// Returns four nodes, the first two of which are down: with both copies of one instance, and the only one of another.
Cluster two_nodes_down(const std::string& memory_of_n2 = "16384") {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|16384|0|9384|102400|87400|8|Y|u|1\n"
      "n1|16384|0|16384|102400|97400|8|Y|u|1\n"
      "n2|" +
          memory_of_n2 + "|0|" + memory_of_n2 +
          "|102400|102400|8|N|u|1\n"
          "n3|16384|0|16384|102400|102400|8|N|u|1\n\n"
          "small|1000|5000|1|running|Y|n0|n1|drbd||1\n"
          "large|6000|5000|1|running|Y|n0||plain||1\n"
          "shared|500|5000|1|running|Y|n0||rbd||1\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

ResolvedPlacement new_disks(InstanceIndex instance, std::vector<NodeIndex> to) {
  return {.unit = "step", .line = 1, .instance = instance, .from = {}, .to = std::move(to), .new_disks = true};
}

}  // namespace

TEST_CASE("instances whose data is lost get places on nodes that are up, the largest first") {
  Trial trial(two_nodes_down());
  const Restoring restoring = restore_lost(trial, kGroup);
  REQUIRE(restoring.steps.size() == 2);
  CHECK(restoring.left.empty());
  CHECK(restoring.steps[0].instance == kLarge);
  CHECK(restoring.steps[0].before == Placement{kN0, kNone});
  CHECK(restoring.steps[1].instance == kSmall);
  CHECK(restoring.steps[1].before == Placement{kN0, kN1});
  const Cluster& after = trial.cluster();
  for (const BalanceStep& step : restoring.steps) {
    CHECK((placement_of(after.instance(step.instance)) == step.after));
    for (const NodeIndex n : nodes_of(step.after)) CHECK_FALSE(after.node(n).offline);
  }
  CHECK(instances_with_lost_data(after, kGroup).empty());
  CHECK(after.node(kN0).primaries == std::vector{kShared});
  CHECK(after.node(kN1).secondaries.empty());
  const std::int64_t used = after.node(kN2).books.real.free_disk + after.node(kN3).books.real.free_disk;
  CHECK(used == 2 * 102400 - 3 * 5000);
}

TEST_CASE("what fits on no node is left, with the reason") {
  Cluster cluster = two_nodes_down("2048");
  cluster.node(kN3).offline = true;
  Trial trial(cluster);
  const Restoring restoring = restore_lost(trial, kGroup);
  CHECK(restoring.steps.empty());
  REQUIRE(restoring.left.size() == 2);
  CHECK(restoring.left[0].instance == kLarge);
  CHECK(restoring.left[0].nearest);
  CHECK(restoring.left[1].instance == kSmall);
}

TEST_CASE("a plan says where instances get new disks, if the nodes take them") {
  Trial trial(two_nodes_down("2048"));
  std::vector<ResolvedPlacement> placements{new_disks(kLarge, {kN2}), new_disks(kSmall, {kN2, kN3}),
                                            new_disks(kShared, {kN3})};
  const std::vector<BalanceStep> steps = restore_as_planned(trial, placements);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].instance == kSmall);
  CHECK(steps[0].after == Placement{kN2, kN3});
  REQUIRE(placements.size() == 2);
  CHECK(placements[0].instance == kLarge);
  CHECK(placements[1].instance == kShared);
}

TEST_CASE("an instance is restored where the plan brings it in the end") {
  const Cluster before = two_nodes_down();
  Trial trial(before);
  std::vector<ResolvedPlacement> placements{new_disks(kSmall, {kN2, kN3}), new_disks(kLarge, {kN2})};
  std::vector<BalanceStep> restored = restore_as_planned(trial, placements);
  REQUIRE(restored.size() == 2);
  Cluster start = trial.cluster();
  std::vector<BalanceStep> steps{{kSmall, {MoveKind::Failover, kNone}, {kN2, kN3}, {kN3, kN2}, 0.0},
                                 {kShared, {MoveKind::FailoverToAny, kN3}, {kN0, kNone}, {kN3, kNone}, 0.0}};
  restore_at_ends(before, start, restored, steps, false);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].instance == kShared);
  CHECK(restored[0].after == Placement{kN3, kN2});
  CHECK(restored[1].after == Placement{kN2, kNone});
  CHECK((placement_of(start.instance(kSmall)) == Placement{kN3, kN2}));
  CHECK(start.node(kN3).primaries == std::vector{kSmall});
  CHECK(restored[0].score != restored[1].score);
}

TEST_CASE("steps with new disks are the first wave of a plan") {
  Trial trial(two_nodes_down());
  const Restoring restoring = restore_lost(trial, kGroup);
  const Cluster start = trial.cluster();
  const BalanceStep move{kShared, {MoveKind::FailoverToAny, kN3}, {kN0, kNone}, {kN3, kNone}, 0.0};
  trial.apply(move.instance, move.move);
  Plan plan = describe_plan(two_nodes_down(), start, trial.cluster(), std::vector{move}, kGroup);
  put_restored_first(plan, start, restoring.steps);
  REQUIRE(plan.steps.size() == 3);
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(plan.steps[s].number == s + 1);
    CHECK(plan.steps[s].new_disks == (s < 2));
    CHECK(plan.steps[s].mandatory);
    CHECK(plan.steps[s].cost.copied_mib == 0);
    CHECK(plan.steps[s].wave == (s < 2 ? 1 : 2));
  }
  CHECK(plan.waves[0].steps == std::vector<std::size_t>{1, 2});
  CHECK(plan.waves[1].steps == std::vector<std::size_t>{3});
  CHECK(plan.totals.steps == 3);
  CHECK(plan.totals.copied_mib == 0);
}

TEST_CASE("restored instances are on nodes that are up, in their groups, and no others move") {
  std::int64_t restored = 0;
  htools::testing::for_each_seed(73, 1000, [&](htools::testing::Random& random) {
    htools::testing::ClusterShape shape{.nodes = random.between(3, 9), .instances = random.between(2, 20)};
    shape.groups = random.between(1, 2);
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Rbd};
    shape.offline = 40;
    const Cluster start = htools::testing::random_cluster(random, shape);
    std::vector<GroupIndex> groups;
    for (std::size_t g = 0; g < start.groups.size(); ++g) groups.emplace_back(g);
    Trial trial(start);
    const Restoring restoring = restore_lost(trial, groups);
    const Cluster& after = trial.cluster();
    CHECK(restoring.steps.size() + restoring.left.size() == instances_with_lost_data(start, groups).size());
    CHECK(restoring.left.size() == instances_with_lost_data(after, groups).size());
    restored += static_cast<std::int64_t>(restoring.steps.size());
    std::vector<bool> has_moved(start.instances.size());
    for (const BalanceStep& step : restoring.steps) {
      has_moved[step.instance.position()] = true;
      for (const NodeIndex n : nodes_of(step.after)) {
        CHECK_FALSE(after.node(n).offline);
        CHECK(after.node(n).facts->group == start.node(step.before.primary).facts->group);
        CHECK(after.node(n).books.real.free_disk >= 0);
      }
    }
    for (std::size_t i = 0; i < start.instances.size(); ++i) {
      if (!has_moved[i]) CHECK((placement_of(after.instances[i]) == placement_of(start.instances[i])));
    }
  });
  if (htools::testing::only_seed() == nullptr) CHECK(restored > htools::testing::scaled_tally(300));
}

}  // namespace htools::restoring_test
