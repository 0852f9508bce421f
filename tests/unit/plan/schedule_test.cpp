#include "plan/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "balance/balancer.h"
#include "cluster/members.h"
#include "plan/plan.h"
#include "rules/move_application.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::schedule_test {

namespace {

using htools::BalanceStep;
using htools::Cluster;
using htools::CopyRules;
using htools::GroupIndex;
using htools::MoveEffect;
using htools::NodeIndex;
using htools::Schedule;
using htools::ScheduledWave;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;

// The order in which the steps of a wave are made: that of the plan, backwards, or any.
enum class Order { OfPlan, Backwards, Any };

// Makes the steps wave by wave, and requires that each of them is allowed.
void replay(const Cluster& start, const std::vector<BalanceStep>& steps, const Schedule& schedule, Order order,
            Random& random) {
  Trial trial(start);
  for (const ScheduledWave& wave : schedule.waves) {
    std::vector<std::size_t> made = wave.steps;
    if (order == Order::Backwards) std::reverse(made.begin(), made.end());
    for (std::size_t i = made.size(); order == Order::Any && i > 1; --i) std::swap(made[i - 1], made[random.index(i)]);
    for (const std::size_t s : made) {
      const BalanceStep& step = steps[s];
      REQUIRE(trial.cluster().instance(step.instance).primary == step.before.primary);
      REQUIRE(std::holds_alternative<MoveEffect>(
          htools::MoveTrials(trial.cluster(), step.instance, false).attempt(step.move)));
      trial.apply(step.instance, step.move);
    }
  }
}

// Requires that no wave copies more disks, and migrates more instances, from or to a node than the rules allow.
void check_caps(const Cluster& cluster, const std::vector<BalanceStep>& steps, const Schedule& schedule,
                const CopyRules& rules) {
  for (const ScheduledWave& wave : schedule.waves) {
    std::map<NodeIndex, std::int64_t> copies, migrations;
    std::int64_t all_copies = 0, all_migrations = 0;
    for (const std::size_t s : wave.steps) {
      std::set<NodeIndex> copying, migrating;
      for (const auto& transfer : transfers_of(cluster, steps[s])) {
        (transfer.is_disk ? copying : migrating).insert({transfer.from, transfer.to});
      }
      for (const NodeIndex n : copying) ++copies[n];
      for (const NodeIndex n : migrating) ++migrations[n];
      all_copies += copying.empty() ? 0 : 1;
      all_migrations += migrating.empty() ? 0 : 1;
    }
    for (const auto& [node, count] : copies) REQUIRE(count <= rules.copies_per_node);
    for (const auto& [node, count] : migrations) REQUIRE(count <= rules.migrations_per_node);
    if (rules.parallel_copies) REQUIRE(all_copies <= *rules.parallel_copies);
    if (rules.parallel_migrations) REQUIRE(all_migrations <= *rules.parallel_migrations);
  }
}

}  // namespace

TEST_CASE("waves can be made in any order, and keep to the copying rules") {
  Random random(21);
  double longer = 0.0;
  int plans = 0, moves = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = random.between(3, 20);
    shape.instances = random.between(10, 120);
    shape.groups = 1;
    shape.templates = {htools::DiskTemplate::Drbd, htools::DiskTemplate::Drbd, htools::DiskTemplate::Rbd};
    if (random.chance(50)) shape.crowded = random.between(10, 60);
    shape.exclusive = 0;  // where numbers of spindles are unknown, what is free depends on the order of arrivals
    const Cluster start = random_cluster(random, shape);
    Trial trial(start);
    const std::vector<BalanceStep> steps = balance(trial, members_of(start, GroupIndex(0)), {}).steps;
    CopyRules rules;
    rules.copies_per_node = random.between(1, 3);
    rules.migrations_per_node = random.between(1, 3);
    if (random.chance(30)) rules.parallel_copies = random.between(1, 4);
    if (random.chance(30)) rules.parallel_migrations = random.between(1, 4);
    const Schedule schedule = schedule_steps(start, steps, {}, rules);

    std::size_t scheduled = 0;
    for (const ScheduledWave& wave : schedule.waves) scheduled += wave.steps.size();
    REQUIRE(scheduled == steps.size());
    replay(start, steps, schedule, Order::OfPlan, random);
    replay(start, steps, schedule, Order::Backwards, random);
    for (int again = 0; again < 8; ++again) replay(start, steps, schedule, Order::Any, random);
    check_caps(start, steps, schedule, rules);
    REQUIRE(schedule.lower_bound <= schedule.seconds * (1 + 1e-9));
    for (const auto cap : {&CopyRules::copies_per_node, &CopyRules::migrations_per_node}) {
      CopyRules fewer = rules;
      fewer.*cap = 1;
      CHECK(schedule.seconds <= schedule_steps(start, steps, {}, fewer).seconds * (1 + 1e-9));
    }
    double one_by_one = 0.0;
    for (const BalanceStep& step : steps) one_by_one += cost_of(start, step, rules).seconds;
    CHECK(schedule.seconds <= one_by_one * (1 + 1e-9));
    CopyRules serial = rules;
    serial.one_by_one = true;
    const Schedule in_order = schedule_steps(start, steps, {}, serial);
    REQUIRE(in_order.waves.size() == steps.size());
    for (std::size_t w = 0; w < in_order.waves.size(); ++w) {
      CHECK(in_order.waves[w].steps == std::vector<std::size_t>{w});
    }
    CHECK(in_order.seconds == doctest::Approx(one_by_one));
    CHECK(in_order.lower_bound == in_order.seconds);
    if (steps.empty()) continue;
    ++plans;
    moves += static_cast<int>(steps.size());
    if (schedule.lower_bound > 0.0) longer += schedule.seconds / schedule.lower_bound - 1.0;
  }
  CHECK(plans > 10);
  CHECK(moves > 100);
  CHECK(longer / plans < 0.7);  // most of these clusters are full, and moves wait for each other
  MESSAGE(plans, " plans, ", moves, " moves, ", 100.0 * longer / plans, " % longer than the bound");
}

}  // namespace htools::schedule_test
