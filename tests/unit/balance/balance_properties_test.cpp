#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "balance/move_generation.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "htools/moves.h"
#include "metric/statistics.h"
#include "tests/support/on_trial.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::balance_properties_test {

using htools::testing::ClusterShape;
using htools::testing::contains;
using htools::testing::for_each_seed;
using htools::testing::is_local;
using htools::testing::NodeMix;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled_tally;
using htools::testing::Witness;
namespace literal = htools::testing::literal;

namespace {

// A cluster, and the options of a plan for one of its groups.
struct Problem {
  Cluster cluster;
  NodeOptions node_options;
  PrepareOptions prepare_options;
  GroupMembers members;
  BalanceOptions options;
  std::vector<std::size_t> selected, excluded;  // instances, by name

  explicit Problem(Random& random) {
    cluster = htools::testing::random_facts(random, shape(random));
    if (random.chance(30)) htools::testing::round_amounts(cluster);
    for (const Instance& instance : cluster.instances) {
      if (random.chance(30)) {
        prepare_options.utilisation.emplace_back(instance.facts->name, Load{random.fraction(), random.fraction() * 3,
                                                                            random.fraction() / 7, random.fraction()});
      }
    }
    if (random.chance(15)) prepare_options.exclusion_tags = {"rack", "svc"};
    if (random.chance(20)) pick(random, selected, prepare_options.selected_instances);
    if (random.chance(20)) pick(random, excluded, prepare_options.excluded_instances);
    prepare(cluster, prepare_options);
    node_options.min_disk_ratio = random.one_of(std::vector<double>{0.0, 0.0, 0.1, 0.3});
    if (random.chance(20)) node_options.max_vcpu_ratio = 0.2 + random.fraction() * 3;
    for (const Node& node : cluster.nodes) {
      if (random.chance(8)) node_options.offline.push_back(node.facts->name);
    }
    apply_node_options(cluster, node_options);
    members = members_of(cluster, GroupIndex(random.index(cluster.groups.size())));

    options.moves.disk_moves = !random.chance(15);
    options.moves.instance_moves = !random.chance(15);
    options.moves.restricted_migration = random.chance(20);
    options.moves.evacuation = random.chance(25);
    options.moves.force = random.chance(20);
    options.max_steps = random.chance(20) ? random.between(0, 4) : -1;
    options.min_score = random.one_of(std::vector<double>{1e-9, 1e-9, 0.5, 0.0});
    options.min_gain = random.one_of(std::vector<double>{0.01, 0.0, 0.3});
    options.min_gain_limit = random.one_of(std::vector<double>{0.1, 0.0, 2.0});
  }

 private:
  static ClusterShape shape(Random& random) {
    ClusterShape shape = htools::testing::random_shape(random);
    shape.nodes = random.between(2, 8);
    shape.groups = random.between(1, 2);
    shape.instances = random.between(1, 16);
    shape.stopped = random.chance(50) ? 30 : 10;
    shape.largest_memory = random.one_of(std::vector<std::int64_t>{512, 2048, 4096});
    using enum DiskTemplate;
    shape.templates = random.one_of(std::vector<std::vector<DiskTemplate>>{
        {Drbd}, {Ext, Rbd}, {Drbd, Plain, Ext}, {Drbd, Drbd, Block, SharedFile, Gluster}, ClusterShape{}.templates});
    return shape;
  }
  void pick(Random& random, std::vector<std::size_t>& positions, std::vector<std::string>& names) {
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      if (!random.chance(60)) continue;
      positions.push_back(i);
      names.push_back(cluster.instances[i].facts->name);
    }
  }
};

// Returns the reason why the instance must not be moved at all; empty if it may.
std::string unmovable(const Problem& problem, const Witness& witness, std::size_t i) {
  using enum DiskTemplate;
  const Instance& instance = witness.instances[i];
  const NodeIndex p = instance.primary, s = instance.secondary;
  const auto group = [&](NodeIndex n) { return witness.hosts[n.position()].facts.facts->group; };
  const std::vector<DiskTemplate> movable{Drbd, Block, SharedFile, Gluster, Rbd, Ext};
  if (!contains(movable, instance.facts->disk_template)) return "disk template";
  if (!contains(problem.members.nodes, p)) return "another group";
  if (!instance.facts->auto_balance) return "no automatic balancing";
  if (contains(problem.excluded, i)) return "excluded";
  if (!problem.selected.empty() && !contains(problem.selected, i)) return "not selected";
  if (!s.is_none() && group(s) != group(p)) return "split";
  const bool nodes_online = !witness.offline(p) && (instance.facts->disk_template != Drbd || !witness.offline(s));
  if (problem.options.moves.evacuation && nodes_online) return "not to be evacuated";
  return "";
}

// Returns the reason why the options do not allow the move; empty if they do.
std::string forbidden(const Problem& problem, const Witness& witness, const BalanceStep& step) {
  using enum MoveKind;
  const Instance& instance = witness.instances[step.instance.position()];
  const MoveRules& rules = problem.options.moves;
  const MoveKind kind = step.move.kind;
  const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
  if (pair == (kind == FailoverToAny)) return "kind for the template";
  const bool changes_primary = kind != ReplaceSecondary, changes_nodes = kind != Failover;
  if (changes_primary && !rules.instance_moves) return "the primary stays";
  if (pair && changes_nodes && !rules.disk_moves) return "the disks stay";
  if (pair && changes_nodes && changes_primary && rules.restricted_migration && !witness.offline(instance.primary))
    return "restricted migration";
  if (kind == ReplacePrimary && rules.restricted_migration) return "restricted migration";
  if (!changes_nodes) return witness.offline(instance.secondary) ? "to an offline node" : "";
  const NodeIndex t = step.move.target;
  if (witness.offline(t)) return "offline target";
  if (!contains(problem.members.nodes, t)) return "target of another group";
  if (t == instance.primary || t == instance.secondary) return "target is its node";
  const bool by_secondary = kind == ReplacePrimary || kind == FailoverAndReplace;
  return by_secondary && witness.offline(instance.secondary) ? "by an offline node" : "";
}

Placement expected_place(const BalanceStep& step, const Placement& before) {
  const NodeIndex p = before.primary, s = before.secondary, t = step.move.target;
  switch (step.move.kind) {
    case MoveKind::Failover:
      return {s, p};
    case MoveKind::FailoverToAny:
    case MoveKind::ReplacePrimary:
      return {t, s};
    case MoveKind::ReplaceSecondary:
      return {p, t};
    case MoveKind::ReplaceAndFailover:
      return {t, p};
    case MoveKind::FailoverAndReplace:
      return {s, t};
  }
  return {};
}

// Returns the lower bound of the score, 0.25 (D / (M - m) - D / M): D is the reserved memory, M the total memory, and m
// that of the largest node.
double unavoidable(const Witness& witness, const std::vector<NodeIndex>& nodes) {
  double memory = 0, largest = 0, reserved = 0;
  for (NodeIndex n : nodes) {
    const double total = witness.hosts[n.position()].facts.facts->total_memory;
    memory += total;
    largest = std::max(largest, total);
    for (const auto& entry : witness.account(n).reserved_for) reserved += static_cast<double>(entry.second);
  }
  const double rest = memory - largest;
  return nodes.size() <= 1 || !(rest > 0) ? 0 : 0.25 * (reserved / rest - reserved / memory);
}

bool close(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * (1 + std::abs(a));
}

struct Tally {
  int plans = 0, steps = 0;
  std::array<int, 6> kinds{};
};

std::vector<BalanceStep> balanced(Cluster& cluster, const GroupMembers& members, const BalanceOptions& options) {
  return testing::on_trial(cluster, [&](Trial& trial) { return balance(trial, members, options); }).steps;
}

void check_plan(const Problem& problem, Tally& tally) {
  Trial trial(problem.cluster);
  const Cluster& cluster = trial.cluster();
  const std::vector<NodeIndex>& nodes = problem.members.nodes;
  const BalanceOptions& options = problem.options;
  Witness witness(cluster, problem.node_options, problem.prepare_options.exclusion_tags);
  REQUIRE(witness.disagreement(cluster) == "");

  const double floor = unavoidable(witness, nodes);
  REQUIRE(close(balance_lower_bound(cluster, problem.members), floor));
  double score = htools::score(member_nodes(cluster, problem.members));
  REQUIRE(close(score, witness.score(nodes)));
  std::int64_t count = 0;
  const auto check_step = [&](const BalanceStep& step) {
    const std::size_t i = step.instance.position();
    CAPTURE(count);
    CAPTURE(i);
    CAPTURE(static_cast<int>(step.move.kind));
    REQUIRE((options.max_steps < 0 || count < options.max_steps));
    // A step is made only if it is necessary and its gain is large enough.
    REQUIRE(score > floor + options.min_score - 1e-12);
    REQUIRE(step.score < score);
    REQUIRE((score > options.min_gain_limit || score - step.score >= options.min_gain));

    REQUIRE(unmovable(problem, witness, i) == "");
    REQUIRE(forbidden(problem, witness, step) == "");
    const Instance& instance = witness.instances[i];
    REQUIRE(step.before == Placement{instance.primary, instance.secondary});
    REQUIRE(step.after == expected_place(step, step.before));
    REQUIRE((step.after.secondary.is_none() || step.after.primary != step.after.secondary));

    const bool all_soft = !options.moves.force && !witness.offline(step.before.primary) &&
                          (step.before.secondary.is_none() || !witness.offline(step.before.secondary));
    std::vector<std::set<std::string>> hard, soft;
    for (NodeIndex n : nodes) {
      hard.push_back(witness.broken_limits(n, false));
      soft.push_back(witness.broken_limits(n, true));
    }
    REQUIRE(witness.move(i, step.move.kind, step.move.target, options.moves.force) == "");
    // A limit that held before the step holds afterwards, too. There are two exceptions: the N+1 flag of a node without
    // changes has another rule, and all templates take spindles, but only instances with data on nodes are refused
    // without them.
    const auto promised = [&](const std::string& limit) {
      return limit != "reserved memory" && (limit != "free spindles" || is_local(instance));
    };
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      CAPTURE(nodes[k].position());
      if (!witness.offline(nodes[k])) {
        for (const std::string& limit : witness.broken_limits(nodes[k], false)) {
          if (promised(limit)) REQUIRE(hard[k].count(limit) == 1);
        }
      }
      if (!all_soft) continue;
      for (const std::string& limit : witness.broken_limits(nodes[k], true)) {
        if (promised(limit)) REQUIRE(soft[k].count(limit) == 1);
      }
    }
    REQUIRE(witness.disagreement(cluster) == "");
    REQUIRE(close(step.score, witness.score(nodes)));
    REQUIRE(same_score(step.score, htools::score(member_nodes(cluster, problem.members))));
    score = step.score;
    ++count;
    tally.kinds[static_cast<std::size_t>(step.move.kind)] += 1;
  };
  const std::vector<BalanceStep> steps = balance(trial, problem.members, options, check_step).steps;
  REQUIRE(static_cast<std::int64_t>(steps.size()) == count);
  REQUIRE(witness.disagreement(cluster) == "");
  if (count > 0) REQUIRE(same_score(score, steps.back().score));
  tally.plans += count > 0 ? 1 : 0;
  tally.steps += static_cast<int>(count);
}

}  // namespace

TEST_CASE("property: every step of a balancing plan keeps the limits and lowers the score") {
  Tally tally;
  for_each_seed(11, 2000, [&](Random& random) {
    Problem problem(random);
    check_plan(problem, tally);
  });
  if (only_seed() != nullptr) return;
  CHECK(tally.plans > scaled_tally(800));
  CHECK(tally.steps > scaled_tally(2000));
  for (const int steps : tally.kinds) CHECK(steps > scaled_tally(40));
}

TEST_CASE("property: a plan carried on from its middle ends as the whole plan") {
  int divided = 0;
  for_each_seed(12, 600, [&](Random& random) {
    Problem problem(random);
    problem.options.max_steps = -1;
    Cluster whole = problem.cluster, parts = problem.cluster;
    const std::vector<BalanceStep> steps = balanced(whole, problem.members, problem.options);
    if (steps.size() < 2) return;
    BalanceOptions some = problem.options;
    some.max_steps = random.between(1, static_cast<std::int64_t>(steps.size()) - 1);
    std::vector<BalanceStep> pieces = balanced(parts, problem.members, some);
    REQUIRE(static_cast<std::int64_t>(pieces.size()) == some.max_steps);
    // The rest of the plan has a lower bound of its own. The plans can be compared only if the bounds are equal.
    some.max_steps = -1;
    if (balance_lower_bound(parts, problem.members) != balance_lower_bound(problem.cluster, problem.members)) return;
    for (const BalanceStep& step : balanced(parts, problem.members, some)) pieces.push_back(step);
    REQUIRE(pieces.size() == steps.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      REQUIRE(pieces[k].instance == steps[k].instance);
      REQUIRE(pieces[k].move == steps[k].move);
      REQUIRE(same_score(pieces[k].score, steps[k].score));
    }
    ++divided;
  });
  if (only_seed() == nullptr) CHECK(divided > scaled_tally(100));
}

}  // namespace htools::balance_properties_test
