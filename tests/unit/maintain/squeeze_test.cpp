#include "maintain/squeeze.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "balance/balancer.h"
#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "maintain/sufficiency.h"
#include "rules/admission.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::squeeze_test {

using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

namespace {

using Nodes = std::vector<NodeIndex>;

// Returns a master and `others` equal nodes of 4 GiB. A standard instance has 1 GiB and one cpu.
Cluster equal_nodes(std::size_t others) {
  Cluster c;
  Group group;
  group.name = "g";
  group.uuid = "u";
  c.groups = {group};
  for (std::size_t n = 0; n <= others; ++n) {
    Node node;
    node.facts.edit().name = "n" + std::to_string(n + 1);
    node.facts.edit().group = GroupIndex(0);
    node.facts.edit().total_memory = 4096;
    node.facts.edit().free_memory = 4096;
    node.facts.edit().total_disk = 102400;
    node.facts.edit().free_disk = 102400;
    node.facts.edit().total_cpus = 8;
    node.facts.edit().node_cpus = 0;
    node.facts.edit().master = n == 0;
    c.nodes.push_back(node);
  }
  c.policy.std = InstanceSpec{1024, 1, 1024, 1, 1, 1};
  return c;
}

void add_instance(Cluster& c, std::size_t node, DiskTemplate disk_template = DiskTemplate::Ext) {
  Instance instance;
  instance.facts.edit().name = "i" + std::to_string(c.instances.size());
  instance.facts.edit().memory = 1024;
  instance.facts.edit().disk = 1024;
  instance.facts.edit().vcpus = 1;
  instance.facts.edit().disk_template = disk_template;
  instance.primary = NodeIndex(node);
  c.nodes[node].facts.edit().free_memory -= 1024;
  c.instances.push_back(instance);
}

Cluster prepared(Cluster c) {
  prepare(c, {});
  return c;
}

// Returns an instance of the size of `factor` standard instances.
Instance probe_of(const Cluster& cluster, double factor) {
  Instance probe;
  probe.facts.edit().memory =
      static_cast<std::int64_t>(std::floor(factor * static_cast<double>(cluster.policy.std.memory)));
  probe.facts.edit().vcpus =
      static_cast<std::int64_t>(std::floor(factor * static_cast<double>(cluster.policy.std.vcpus)));
  probe.facts.edit().spindle_use =
      static_cast<std::int64_t>(std::floor(factor * static_cast<double>(cluster.policy.std.spindle_use)));
  probe.facts.edit().disk_template = DiskTemplate::Ext;
  return probe;
}

// True if every node has room for `factor` standard instances, by the literal rules.
bool has_room(const Cluster& cluster, double factor) {
  const Instance probe = probe_of(cluster, factor);
  return std::all_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [&](const Node& node) { return !check_primary(node, books_with_primary(node, probe), probe); });
}

struct Switched {
  Cluster cluster;
  std::vector<BalanceStep> steps;
};

Switched switched(Cluster cluster, const Nodes& nodes, bool offline) {
  for (NodeIndex n : nodes) cluster.node(n).offline = offline;
  BalanceOptions options;
  options.min_gain = options.min_gain_limit = 0.0;
  std::vector<BalanceStep> steps =
      testing::on_trial(cluster, [&](Trial& trial) { return balance(trial, all_members(cluster), options); }).steps;
  return {std::move(cluster), std::move(steps)};
}

bool same_step(const BalanceStep& a, const BalanceStep& b) {
  return a.instance == b.instance && a.move == b.move && a.before == b.before && a.after == b.after &&
         testing::same_score(a.score, b.score);
}

bool suffices(const Cluster& cluster, const Nodes& nodes, bool offline, double factor) {
  const Cluster end = switched(cluster, nodes, offline).cluster;
  return has_room(end, factor) && std::none_of(end.instances.begin(), end.instances.end(),
                                               [&](const Instance& i) { return end.node(i.primary).offline; });
}

}  // namespace

TEST_CASE("offline candidates: nothing keeps them online, most primaries first") {
  Cluster c = equal_nodes(7);
  c.nodes[1].offline = true;
  add_instance(c, 2, DiskTemplate::Plain);
  add_instance(c, 3);
  add_instance(c, 5);
  add_instance(c, 5, DiskTemplate::Rbd);
  add_instance(c, 6, DiskTemplate::Drbd);
  c.instances.back().secondary = NodeIndex(7);
  CHECK(offline_candidates(prepared(c)) == Nodes{NodeIndex(5), NodeIndex(3), NodeIndex(4)});
}

TEST_CASE("online candidates: offline nodes with a standby tag, colon included") {
  Cluster c = equal_nodes(4);
  for (const std::size_t n : {1U, 2U, 3U}) c.nodes[n].offline = true;
  c.nodes[1].facts.edit().tags = {"other", "htools:standby:manual"};
  c.nodes[2].facts.edit().tags = {"htools:standby"};
  c.nodes[3].facts.edit().tags = {"htools:standby:"};
  c.nodes[4].facts.edit().tags = {"htools:standby:auto"};
  CHECK(online_candidates(prepared(c)) == Nodes{NodeIndex(1), NodeIndex(3)});
}

TEST_CASE("the last candidate is switched off first; memory must not run out") {
  Cluster c = equal_nodes(2);
  add_instance(c, 1);
  add_instance(c, 2);
  const SqueezePlan plan = plan_squeeze(prepared(c), {.target = 2.5});
  CHECK(plan.action == SqueezeAction::SwitchOff);
  CHECK(plan.nodes == Nodes{NodeIndex(2)});
  CHECK(plan.steps.size() == 1);
  CHECK(plan.after->instances[1].primary == NodeIndex(0));
  // Then 3072 MiB are free on each of two nodes.
  CHECK(plan_squeeze(prepared(c), {.target = 3.0}).action == SqueezeAction::None);
  CHECK(plan_squeeze(prepared(c), {.target = 2.9999}).nodes == Nodes{NodeIndex(2)});
}

TEST_CASE("an observer is told of each set that is tried, and of the moves") {
  Cluster c = equal_nodes(2);
  add_instance(c, 1);
  add_instance(c, 2);
  std::vector<std::size_t> sets, moves;
  plan_squeeze(prepared(c), {.target = 2.5}, [&](const SqueezeProgress& progress) {
    CHECK(progress.sets == 2);
    sets.push_back(progress.set);
    moves.push_back(progress.moves);
  });
  // Without both nodes, there is not enough memory.
  CHECK(sets == std::vector<std::size_t>{1, 1});
  CHECK(moves == std::vector<std::size_t>{0, 1});
}

TEST_CASE("moves alone may give every node enough room, and all nodes may be too few") {
  Cluster c = equal_nodes(2);
  for (int i = 0; i < 3; ++i) add_instance(c, 0);
  const SqueezePlan moves = plan_squeeze(prepared(c), {});
  CHECK(moves.action == SqueezeAction::SwitchOn);
  CHECK(moves.nodes.empty());
  CHECK(moves.sufficient);
  CHECK(moves.steps.size() == 2);
  const SqueezePlan too_few = plan_squeeze(prepared(c), {.minimal = 3.5});
  CHECK(too_few.action == SqueezeAction::SwitchOn);
  CHECK_FALSE(too_few.sufficient);
}

TEST_CASE("for factors that are no numbers, or huge, there is no room; for others without sense there is") {
  Cluster c = equal_nodes(2);
  add_instance(c, 1);
  for (const double factor : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300}) {
    CAPTURE(factor);
    const SqueezePlan plan = plan_squeeze(prepared(c), {.minimal = factor, .target = factor});
    CHECK(plan.action == SqueezeAction::SwitchOn);
    CHECK_FALSE(plan.sufficient);
  }
  for (const double factor : {-5.0, 0.0}) {
    CAPTURE(factor);
    const SqueezePlan plan = plan_squeeze(prepared(c), {.minimal = factor, .target = factor});
    CHECK(plan.action == SqueezeAction::SwitchOff);
    CHECK(plan.nodes == Nodes{NodeIndex(1), NodeIndex(2)});
  }
}

TEST_CASE("plans are what trying candidate after candidate gives, and the cluster stays as it is") {
  Random random(902);
  int off = 0, on = 0, none = 0, ruled_out = 0, left_open = 0;
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    ClusterShape shape;
    shape.templates = {DiskTemplate::Ext, DiskTemplate::Rbd, DiskTemplate::Diskless};
    if (random.chance(30)) shape.templates.push_back(DiskTemplate::Drbd);
    shape.nodes = random.between(2, 6);
    shape.groups = random.between(1, 2);
    shape.offline = 20;
    shape.largest_memory = 1024;
    Cluster cluster = testing::random_facts(random, shape);
    for (Node& node : cluster.nodes) {
      if (random.chance(60)) node.facts.edit().tags.emplace_back(kStandbyTag);
    }
    cluster.nodes.front().facts.edit().master = true;
    for (Instance& instance : cluster.instances) {
      if (random.chance(3)) instance.facts.edit().auto_balance = false;
      if (random.chance(1) && !instance.facts->has_secondary()) instance.secondary = instance.primary;
    }
    cluster.policy.std = InstanceSpec{random.between(64, 1024), 1, 1024, 1, 1, 1};
    prepare(cluster, {});
    const Cluster before = cluster;
    const SqueezeTargets targets{.minimal = random.fraction() * 4, .target = random.fraction() * 4};
    const SqueezePlan plan = plan_squeeze(cluster, targets);
    REQUIRE(testing::difference(before, cluster) == "");

    // What is literally insufficient may be ruled out without balancing; what suffices must not.
    const auto is_enough = [&](const Nodes& nodes, bool offline, double factor) {
      const SufficiencyBounds bounds(cluster, probe_of(cluster, factor));
      Cluster with_nodes = cluster;
      for (NodeIndex n : nodes) with_nodes.node(n).offline = offline;
      const bool enough = suffices(cluster, nodes, offline, factor);
      if (!enough) ++(bounds.may_suffice(with_nodes) ? left_open : ruled_out);
      REQUIRE((!enough || bounds.may_suffice(with_nodes)));
      return enough;
    };
    Nodes expected;
    if (has_room(cluster, targets.minimal)) {
      Nodes candidates = offline_candidates(cluster);
      std::reverse(candidates.begin(), candidates.end());
      for (NodeIndex candidate : candidates) {
        Nodes more = expected;
        more.insert(more.begin(), candidate);
        if (is_enough(more, true, targets.target)) expected = more;
      }
      CHECK(plan.action == (expected.empty() ? SqueezeAction::None : SqueezeAction::SwitchOff));
      CHECK(plan.sufficient);
      ++(expected.empty() ? none : off);
    } else {
      const Nodes candidates = online_candidates(cluster);
      while (!is_enough(expected, false, targets.minimal) && expected.size() < candidates.size()) {
        expected.push_back(candidates[expected.size()]);
      }
      CHECK(plan.action == SqueezeAction::SwitchOn);
      CHECK(plan.sufficient == is_enough(expected, false, targets.minimal));
      ++on;
    }
    REQUIRE(plan.nodes == expected);
    const Switched end = plan.action == SqueezeAction::None
                             ? Switched{cluster, {}}
                             : switched(cluster, expected, plan.action == SqueezeAction::SwitchOff);
    REQUIRE(testing::difference(end.cluster, *plan.after) == "");
    REQUIRE(std::equal(end.steps.begin(), end.steps.end(), plan.steps.begin(), plan.steps.end(), same_step));
  }
  CHECK(off > scaled_tally(20));
  CHECK(on > scaled_tally(20));
  CHECK(none > scaled_tally(20));
  CHECK(ruled_out > scaled_tally(200));
  CHECK(left_open > scaled_tally(20));
}

TEST_CASE("sets are ruled out if an instance stays on an offline node or a node stays full") {
  Cluster c = equal_nodes(3);
  for (const std::size_t n : {1U, 2U}) add_instance(c, n);
  const auto may_suffice = [](Cluster cluster, const Nodes& offline, double factor) {
    const SufficiencyBounds bounds(cluster, probe_of(cluster, factor));
    for (NodeIndex n : offline) cluster.node(n).offline = true;
    return bounds.may_suffice(cluster);
  };
  CHECK(may_suffice(prepared(c), {NodeIndex(1), NodeIndex(2)}, 1.0));
  // Memory: 4 GiB on each node, of which all but one MiB may be filled.
  CHECK(may_suffice(prepared(c), {}, 3.4));
  CHECK_FALSE(may_suffice(prepared(c), {}, 3.5));
  CHECK_FALSE(may_suffice(prepared(c), {NodeIndex(1), NodeIndex(2)}, 3.0));
  // An instance that may not move.
  c.instances[0].facts.edit().auto_balance = false;
  CHECK_FALSE(may_suffice(prepared(c), {NodeIndex(1)}, 1.0));
  CHECK(may_suffice(prepared(c), {NodeIndex(2)}, 1.0));
  CHECK(may_suffice(prepared(c), {}, 2.9));
  CHECK_FALSE(may_suffice(prepared(c), {}, 3.0));
  // A node that names its instance twice does not count its memory.
  c.instances[1].secondary = c.instances[1].primary;
  CHECK(may_suffice(prepared(c), {}, 3.0));
}

}  // namespace htools::squeeze_test
