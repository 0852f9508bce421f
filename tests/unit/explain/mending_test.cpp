#include "explain/mending.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "balance/balancer.h"
#include "cluster/prepare.h"
#include "explain/rule_conflicts.h"
#include "goals/emptying.h"
#include "plan/paths.h"
#include "rules/rule_check.h"
#include "search/search.h"
#include "tests/support/all_ways.h"
#include "tests/support/literal_rules.h"
#include "tests/support/property.h"
#include "tests/support/random_cluster.h"

namespace htools::mending_test {
namespace {

using testing::broken_by_steps;
using testing::for_each_seed;
using testing::for_each_way;
using testing::Random;

// Returns a cluster with random rules, some of which are broken.
Cluster ruled_cluster(Random& random, std::int64_t most_nodes, std::int64_t most_instances) {
  testing::ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, most_nodes);
  shape.instances = random.between(2, most_instances);
  shape.groups = 1;
  shape.no_spindles = shape.exclusive = shape.forthcoming = 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Rbd, DiskTemplate::Ext};
  Cluster cluster = random_facts(random, shape);
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (random.chance(70)) cluster.nodes[n].facts.edit().tags.emplace_back("zone:" + std::to_string(n % 2));
  }
  cluster.placement_rules = testing::random_rules(random, cluster);
  prepare(cluster, {});
  return cluster;
}

TEST_CASE("no engine breaks a rule that binds") {
  std::int64_t steps = 0, broken = 0;
  for_each_seed(7301, 600, [&](Random& random) {
    const Cluster cluster = ruled_cluster(random, 6, 16);
    const GroupMembers members = all_members(cluster);
    const MoveRules moves{.dead_disks = false};
    for (const ResolvedRule& rule : cluster.rule_book ? cluster.rule_book->rules() : std::vector<ResolvedRule>{}) {
      const RuleExtent extent = extent_of(cluster, rule);
      CHECK(extent.broken == testing::literally_broken(cluster, rule.given));
      broken += extent.broken > 0 ? 1 : 0;
    }
    const auto check_from = [&](const Cluster& start, const char* engine, const std::vector<BalanceStep>& made) {
      CAPTURE(engine);
      CHECK(broken_by_steps(start, made) == "");
      steps += static_cast<std::int64_t>(made.size());
    };
    const auto check = [&](const char* engine, const std::vector<BalanceStep>& made) {
      check_from(cluster, engine, made);
    };
    const auto search = [&](const Cluster& start, const Wishes& wishes) {
      std::vector<BalanceStep> made;
      const SearchRules rules{.balance = {.moves = moves}, .copying = {}, .wishes = wishes};
      for (const OrderedStep& s : search_plan(start, members, rules, {}, {.level = 1}).steps) made.push_back(s.step);
      return made;
    };
    {
      Trial trial(cluster);
      check("balance", balance(trial, members, {.moves = moves}).steps);
    }
    check("search", search(cluster, {}));
    {
      Trial trial(cluster);
      const std::vector<NodeIndex> emptied{NodeIndex(random.index(cluster.nodes.size()))};
      switch_off(trial, emptied);
      check_from(trial.cluster(), "emptying", search(trial.cluster(), {.emptied = emptied}));
    }
    {
      Trial trial(cluster);
      check("mend", mend(trial, GroupIndex(0), members, {.balance = {.moves = moves}}).steps);
    }
  });
  if (testing::only_seed() != nullptr) return;
  CHECK(steps > 0);
  CHECK(broken > 0);
}

// How much is wrong: what a repair is judged by, from the literal rules and plain counts.
using Wrong = std::tuple<std::int64_t, std::int64_t>;
Wrong wrong_in(const Cluster& cluster) {
  std::int64_t offline = 0, rules = 0;
  for (const Instance& i : cluster.instances) {
    offline += cluster.node(i.primary).offline ? 1 : 0;
  }
  for (const PlacementRule& rule : cluster.placement_rules) {
    if (rule.strength == RuleStrength::Must) rules += testing::literally_broken(cluster, rule);
  }
  return {offline, rules};
}

TEST_CASE("a repair mends as much as any short sequence of moves, with as few of them") {
  std::int64_t compared = 0, as_good = 0, as_few = 0;
  for_each_seed(7302, 300, [&](Random& random) {
    const Cluster cluster = ruled_cluster(random, 4, 5);
    const GroupMembers members = all_members(cluster);
    const MoveRules moves{.dead_disks = false};
    Trial trial(cluster);
    const Mending found =
        mend(trial, GroupIndex(0), members, {.balance = {.moves = moves}, .capacity_checks = false, .must_only = true});
    const Wrong reached = wrong_in(trial.cluster());
    if (wrong_in(cluster) == Wrong{0, 0}) return;
    constexpr std::size_t kDepth = 2;
    Wrong best = wrong_in(cluster);
    std::size_t fewest = 0;
    Trial other(cluster);
    std::vector<BalanceStep> steps;
    for_each_way(other, members, moves, cluster.instances.size(), kDepth, steps, [&](const auto& way) {
      const Wrong now = wrong_in(other.cluster());
      if (now < best || (now == best && way.size() < fewest)) {
        best = now;
        fewest = way.size();
      }
    });
    ++compared;
    if (reached <= best) ++as_good;
    if (reached == best && found.steps.size() <= std::max<std::size_t>(fewest, found.least_moves)) ++as_few;
    if (reached <= best && found.steps.size() <= kDepth) CHECK(found.least_moves <= found.steps.size());
  });
  if (testing::only_seed() != nullptr) return;
  MESSAGE("repairs as good as any two moves: ", as_good, " of ", compared, ", with as few moves: ", as_few);
  CHECK(as_good * 100 >= compared * 97);
}

TEST_CASE("rules that contradict each other are found") {
  for_each_seed(7303, 300, [&](Random& random) {
    const Cluster cluster = ruled_cluster(random, 3, 4);
    for (const std::vector<std::uint32_t>& set : contradictions(cluster)) {
      // No placement of all instances keeps all of the set.
      Cluster tried = cluster;
      const auto count = [&] {
        std::int64_t broken = 0;
        for (const std::uint32_t r : set) {
          const PlacementRule& rule = cluster.rule_book->rule(r).given;
          if (rule.kind == RuleKind::Stay) {
            for (const InstanceIndex i : cluster.rule_book->rule(r).instances) {
              broken += tried.instance(i).primary != cluster.instance(i).primary ? 1 : 0;
            }
          } else {
            PlacementRule of_primaries = rule;
            broken += testing::literally_broken(tried, of_primaries);
          }
        }
        return broken;
      };
      const std::size_t nodes = cluster.nodes.size(), instances = cluster.instances.size();
      std::size_t ways = 1;
      for (std::size_t i = 0; i < instances; ++i) ways *= nodes;
      for (std::size_t way = 0; way < ways; ++way) {
        std::size_t rest = way;
        bool is_up = true;
        for (Instance& i : tried.instances) {
          i.primary = NodeIndex(rest % nodes);
          i.secondary = NodeIndex::none();
          is_up = is_up && !tried.node(i.primary).offline;
          rest /= nodes;
        }
        if (is_up) CHECK(count() > 0);
      }
    }
  });
}

}  // namespace
}  // namespace htools::mending_test
