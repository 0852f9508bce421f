#include "plan/plan.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "balance/job_sets.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/balance.h"
#include "htools/load.h"
#include "metric/grade.h"
#include "metric/statistics.h"
#include "plan/copying.h"
#include "plan/step_reason.h"
#include "tests/support/property.h"
#include "tests/support/random_cluster.h"

namespace htools::plan_test {

using htools::testing::for_each_seed;
using htools::testing::Random;

namespace {

constexpr const char* kThreeNodes =
    "g|u|preferred|\n\n"
    "n1|10240|0|2048|102400|51200|8|N|u|1\n"
    "n2|10240|0|10240|102400|51200|8|N|u|1\n"
    "n3|10240|0|10240|102400|102400|8|N|u|1\n\n"
    "web|4096|25600|1|running|Y|n1|n2|drbd|\n"
    "db|4096|25600|1|running|Y|n1|n2|drbd|\n\n";

// (Without loads: those of the instances would be what most steps serve.)
Cluster loaded(const std::string& text) {
  Cluster cluster = read_text_cluster(text, "test");
  PrepareOptions options;
  options.ignore_utilisation = true;
  prepare(cluster, options);
  return cluster;
}

MoveCost cost(MoveKind kind, bool running, bool is_cut_off = false) {
  Cluster cluster = loaded(kThreeNodes);
  InstanceFacts& instance = cluster.instance(InstanceIndex(0)).facts.edit();
  instance.memory = 1000;
  instance.disk = 5000;
  instance.status = running ? InstanceStatus::Running : InstanceStatus::AdminDown;
  cluster.node(NodeIndex(0)).offline = is_cut_off;
  const Placement before{NodeIndex(0), NodeIndex(1)};
  const Move move{kind, kind == MoveKind::Failover ? NodeIndex::none() : NodeIndex(2)};
  return cost_of(cluster, {InstanceIndex(0), move, before, placement_after(before, move), 0.0}, {});
}

// Returns the cost of a move of an instance without a secondary node, 1000 MiB of memory and 5000 MiB of disk.
MoveCost cost_of_guest(DiskTemplate disk_template, const std::vector<std::string>& tags, bool live = true) {
  Cluster cluster = loaded(kThreeNodes);
  InstanceFacts& guest = cluster.instance(InstanceIndex(0)).facts.edit();
  guest.memory = 1000;
  guest.disk = 5000;
  guest.disk_template = disk_template;
  guest.tags = tags;
  guest.live = live;
  const Placement before{NodeIndex(0), NodeIndex::none()};
  const Move move{MoveKind::FailoverToAny, NodeIndex(2)};
  return cost_of(cluster, {InstanceIndex(0), move, before, placement_after(before, move), 0.0}, {});
}

// Returns a step that moves the first instance, with its reason.
PlannedStep planned_step(const Cluster& cluster, const Move& move, const Placement& before, const Placement& after) {
  const std::vector steps{BalanceStep{InstanceIndex(0), move, before, after, 0.0}};
  return describe_plan(cluster, cluster, *after_steps(cluster, steps), steps, {}).steps.front();
}

std::int64_t grade(const std::string& text) { return grade_of(all_nodes(loaded(text).nodes)); }

}  // namespace

TEST_CASE("a move costs what its actions copy and migrate") {
  CHECK(cost(MoveKind::Failover, true).migrated_mib == 1000);
  CHECK(cost(MoveKind::Failover, true).copied_mib == 0);
  CHECK(cost(MoveKind::ReplacePrimary, true).migrated_mib == 2000);
  CHECK(cost(MoveKind::ReplacePrimary, true).copied_mib == 5000);
  CHECK(cost(MoveKind::ReplaceSecondary, true).migrated_mib == 0);
  CHECK(cost(MoveKind::ReplaceSecondary, true).copied_mib == 5000);
  CHECK(cost(MoveKind::ReplaceAndFailover, true).seconds == doctest::Approx(60.0));
}

TEST_CASE("disks are read from the primary node, or from the secondary one if the primary is offline") {
  const Placement before{NodeIndex(0), NodeIndex(1)};
  const auto source = [&](MoveKind kind, NodeIndex offline) {
    Cluster cluster = loaded(kThreeNodes);
    if (!offline.is_none()) cluster.node(offline).offline = true;
    const Move move{kind, NodeIndex(2)};
    for (const Transfer& t :
         transfers_of(cluster, {InstanceIndex(0), move, before, placement_after(before, move), 0.0})) {
      if (t.is_disk) return t.from;
    }
    return NodeIndex::none();
  };
  CHECK(source(MoveKind::ReplaceSecondary, NodeIndex::none()) == NodeIndex(0));
  CHECK(source(MoveKind::ReplaceSecondary, NodeIndex(1)) == NodeIndex(0));
  CHECK(source(MoveKind::ReplaceSecondary, NodeIndex(0)) == NodeIndex(1));
  CHECK(source(MoveKind::ReplaceAndFailover, NodeIndex(0)) == NodeIndex(1));
  CHECK(source(MoveKind::ReplacePrimary, NodeIndex(0)) == NodeIndex(1));
  CHECK(source(MoveKind::FailoverAndReplace, NodeIndex(0)) == NodeIndex(1));
}

TEST_CASE("only instances that run and cannot be migrated are stopped") {
  CHECK(!cost(MoveKind::Failover, true).stopped);
  CHECK(cost(MoveKind::Failover, true, true).stopped);
  CHECK(cost(MoveKind::Failover, true, true).migrated_mib == 0);
  CHECK(!cost(MoveKind::Failover, false, true).stopped);
  CHECK(cost(MoveKind::Failover, false).migrated_mib == 0);
  CHECK(!cost(MoveKind::ReplaceSecondary, true, true).stopped);
}

TEST_CASE("containers restart, and guests of other platforms than Ganeti migrate with their local disks") {
  const auto check = [](const MoveCost& cost, std::int64_t copied, std::int64_t migrated, bool stopped) {
    CHECK(cost.copied_mib == copied);
    CHECK(cost.migrated_mib == migrated);
    CHECK(cost.stopped == stopped);
    CHECK(cost.seconds == doctest::Approx(static_cast<double>(copied + migrated) / 100));
  };
  check(cost_of_guest(DiskTemplate::Plain, {}), 5000, 0, true);
  check(cost_of_guest(DiskTemplate::Rbd, {}), 0, 1000, false);
  check(cost_of_guest(DiskTemplate::Plain, {"proxmox:qemu:101"}), 5000, 1000, false);
  check(cost_of_guest(DiskTemplate::Plain, {"openstack:server:6f1"}), 5000, 1000, false);
  check(cost_of_guest(DiskTemplate::Plain, {"libvirt:domain:web"}), 5000, 1000, false);
  check(cost_of_guest(DiskTemplate::Plain, {"proxmox:lxc:104"}), 5000, 0, true);
  check(cost_of_guest(DiskTemplate::Rbd, {"proxmox:lxc:104"}), 0, 0, true);
  check(cost_of_guest(DiskTemplate::Ext, {}, false), 0, 0, true);
}

TEST_CASE("the reason of a step is the largest decrease of a node's use") {
  const Cluster cluster = loaded(kThreeNodes);
  const BalanceStep step{InstanceIndex(0),
                         {MoveKind::ReplacePrimary, NodeIndex(2)},
                         {NodeIndex(0), NodeIndex(1)},
                         {NodeIndex(2), NodeIndex(1)},
                         0.0};
  const std::vector steps{step};
  const auto after = after_steps(cluster, steps);
  const Plan plan = describe_plan(cluster, cluster, *after, steps, {GroupIndex(0)});
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps.front().reason == "balance: memory of n1 80 -> 40 %");
  CHECK(plan.steps.front().serves.kind == ServedKind::Balance);
  CHECK(plan.steps.front().serves.resource == "memory");
  CHECK(plan.steps.front().serves.node == NodeIndex(0));
  CHECK(!plan.steps.front().mandatory);
  CHECK(plan.totals.copied_mib == 25600);
  CHECK(plan.totals.seconds == plan.totals.seconds_one_by_one);
}

TEST_CASE("instances leave offline nodes, and nodes that are to be switched off, for that reason") {
  const Cluster cluster = loaded(kThreeNodes);
  Cluster start = cluster;
  start.node(NodeIndex(0)).offline = true;
  const std::vector steps{BalanceStep{InstanceIndex(0),
                                      {MoveKind::Failover, NodeIndex::none()},
                                      {NodeIndex(0), NodeIndex(1)},
                                      {NodeIndex(1), NodeIndex(0)},
                                      0.0}};
  const auto after = after_steps(start, steps);
  const Plan lost = describe_plan(start, start, *after, steps, {});
  CHECK(lost.steps.front().reason == "evacuates n1");
  CHECK(lost.steps.front().serves.kind == ServedKind::Offline);
  CHECK(lost.steps.front().serves.node == NodeIndex(0));
  CHECK(lost.steps.front().mandatory);
  CHECK(lost.steps.front().cost.stopped);
  const Plan saving = describe_plan(cluster, start, *after, steps, {});
  CHECK(saving.steps.front().reason == "evacuates n1");
  CHECK(!saving.steps.front().cost.stopped);
  CHECK(saving.steps.front().cost.migrated_mib == 4096);
  start.node(NodeIndex(0)).is_emptied = true;
  const PlannedStep emptying = describe_plan(cluster, start, *after, steps, {}).steps.front();
  CHECK(emptying.reason == "empties n1");
  CHECK(emptying.serves.kind == ServedKind::Empty);
  CHECK(emptying.serves.node == NodeIndex(0));
}

TEST_CASE("a step is mandatory if the instance leaves an offline node") {
  Cluster cluster = loaded(kThreeNodes);
  cluster.node(NodeIndex(0)).offline = true;
  const auto left = [&](const Placement& before, const Placement& after) {
    return evacuated_node(cluster, {InstanceIndex(0), {}, before, after, 0.0});
  };
  const NodeIndex off(0), on(1), other(2);
  CHECK(left({off, on}, {on, off}) == off);    // as primary
  CHECK(left({off, on}, {on, other}) == off);  // altogether
  CHECK(left({on, off}, {other, on}) == off);
  CHECK(left({off, NodeIndex::none()}, {on, NodeIndex::none()}) == off);
  CHECK(left({off, on}, {off, other}).is_none());
  CHECK(left({on, off}, {other, off}).is_none());
  CHECK(left({on, other}, {other, on}).is_none());
}

TEST_CASE("a step that brings a node nearer to a limit of its policy is made for that") {
  // A ratio of two virtual CPUs per CPU, and of four spindles in use per spindle of the node.
  const std::string text =
      "g|u|preferred|\n\n"
      "n1|10240|0|2048|102400|102400|2|N|u|1\n"
      "n2|10240|0|10240|102400|102400|8|N|u|1\n\n"
      "web|1024|0|3|running|Y|n1||plain||{}\n"
      "db|1024|0|3|running|Y|n1||plain||1\n\n";
  const std::string policy =
      "\n|64,1,0,0,0,1|64,1,0,0,0,1;9999,99,99999,99,9,9|plain|{}|{}\n"
      "g|64,1,0,0,0,1|64,1,0,0,0,1;9999,99,99999,99,9,9|plain|{}|{}\n";
  const auto step = [&](int spindles, const std::string& vcpus_per_cpu, const std::string& per_spindle) {
    const Cluster cluster =
        loaded(fmt::format(fmt::runtime(text), spindles) +
               fmt::format(fmt::runtime(policy), vcpus_per_cpu, per_spindle, vcpus_per_cpu, per_spindle));
    return planned_step(cluster, {MoveKind::FailoverToAny, NodeIndex(1)}, {NodeIndex(0), NodeIndex::none()},
                        {NodeIndex(1), NodeIndex::none()});
  };
  CHECK(step(1, "2.0", "4.0").reason == "policy: cpus of n1");
  CHECK(step(1, "2.0", "4.0").serves.kind == ServedKind::Policy);
  CHECK(step(1, "2.0", "4.0").serves.resource == "cpus");
  CHECK(step(1, "2.0", "4.0").serves.node == NodeIndex(0));
  CHECK(step(7, "4.0", "4.0").reason == "policy: spindles of n1");
  CHECK(step(7, "4.0", "4.0").serves.resource == "spindles");
  CHECK(step(7, "2.0", "4.0").reason == "policy: cpus of n1");
  CHECK(step(1, "4.0", "4.0").reason == "balance: virtual CPUs of n1 88 -> 50 % of what is allowed");
  CHECK(step(1, "4.0", "4.0").serves.resource == "cpus");
}

TEST_CASE("a step that takes instances with a common exclusion tag apart names them") {
  const std::string text =
      "g|u|preferred|\n\n"
      "n1|10240|0|7168|102400|102400|8|N|u|1\n"
      "n2|10240|0|10240|102400|102400|8|N|u|1\n\n"
      "web1|1024|0|1|running|Y|n1||diskless|{}\n"
      "web2|1024|0|1|running|Y|n1||diskless|rack:1,service:web\n"
      "db|1024|0|1|running|Y|n1||diskless|service:db\n\n"
      "htools:iextags:service\n";
  const auto step = [&](const std::string& tags) {
    return planned_step(loaded(fmt::format(fmt::runtime(text), tags)), {MoveKind::FailoverToAny, NodeIndex(1)},
                        {NodeIndex(0), NodeIndex::none()}, {NodeIndex(1), NodeIndex::none()});
  };
  const auto reason = [&](const std::string& tags) { return step(tags).reason; };
  CHECK(reason("service:web") == "apart: web1, web2");
  CHECK(step("service:web").serves.kind == ServedKind::Apart);
  CHECK(step("service:web").serves.rule == "service:web");
  CHECK(reason("service:db,service:web") == "apart: web1, web2, db");
  // A tag that does not exclude, and one that the instance has twice.
  CHECK(reason("rack:1") == "balance: memory of n1 30 -> 20 %");
  CHECK(reason("service:own,service:own") == "balance: memory of n1 30 -> 20 %");
}

TEST_CASE("equal nodes have grade 100, and the load of all on one node grade 0") {
  const std::string nodes =
      "n1|1000|0|500|1000|1000|4|N|u|1\n"
      "n2|1000|0|500|1000|1000|4|N|u|1\n";
  const std::string policy = "g|u|preferred|\n\n";
  CHECK(grade(policy + nodes + "\na|500|0|2|running|Y|n1||diskless|\nb|500|0|2|running|Y|n2||diskless|\n\n") == 100);
  // The cpu that the system of each node uses counts, too.
  CHECK(grade(policy +
              "n1|1000|0|0|1000|1000|4|N|u|1||N|0|0\n"
              "n2|1000|0|1000|1000|1000|4|N|u|1||N|0|0\n" +
              "\na|1000|0|2|running|Y|n1||diskless|\n\n") == 0);
  CHECK(grade(policy + "n1|1000|0|500|1000|1000|4|N|u|1\n\na|500|0|2|running|Y|n1||diskless|\n\n") == 100);
}

TEST_CASE("the description of a plan adds up") {
  for_each_seed(65, 100, [](Random& random) {
    htools::testing::ClusterShape shape = htools::testing::random_shape(random);
    shape.no_spindles = 0;
    shape.second_node = 0;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    for (const GroupIndex group : groups_with_nodes(cluster)) {
      Trial trial(cluster);
      const BalanceResult result = balance(trial, members_of(cluster, group), {.moves = {}, .max_steps = 8});
      const Plan plan = describe_plan(cluster, cluster, trial.cluster(), result.steps, {group});
      CHECK(plan.steps.size() == result.steps.size());
      CHECK(plan.groups.front().score.before == result.initial_score);
      CHECK(plan.waves.size() == job_sets(cluster, result.steps).size());
      double seconds = 0.0;
      std::size_t number = 0;
      for (std::size_t w = 0; w < plan.waves.size(); ++w) {
        for (const std::size_t step : plan.waves[w].steps) {
          CHECK(step == ++number);
          CHECK(plan.steps[step - 1].wave == w + 1);
          CHECK(plan.steps[step - 1].cost.seconds <= plan.waves[w].seconds);
          CHECK(!plan.steps[step - 1].reason.empty());
        }
        seconds += plan.waves[w].seconds;
      }
      CHECK(number == plan.steps.size());
      CHECK(seconds == plan.totals.seconds);
      CHECK(plan.totals.seconds <= plan.totals.seconds_one_by_one * (1 + 1e-12));
      for (const auto& grade : {plan.groups.front().grade.before, plan.groups.front().grade.after}) {
        CHECK(grade >= 0);
        CHECK(grade <= 100);
      }
    }
  });
}

}  // namespace htools::plan_test
