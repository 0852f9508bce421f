#include "search/cheapest.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "goals/emptying.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "search/greedy.h"
#include "search/plan_judge.h"
#include "search/relief.h"
#include "tests/support/all_ways.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::cheapest_test {
namespace {

using testing::for_each_way;
using testing::Random;
using testing::scaled;

constexpr auto kMemory = static_cast<std::size_t>(Resource::Memory);

Cluster small_cluster(Random& random, int most_nodes, int most_instances) {
  testing::ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, most_nodes);
  shape.instances = random.between(1, most_instances);
  shape.groups = 1;
  shape.no_spindles = shape.exclusive = 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
  return random_cluster(random, shape);
}

FoundPlan judged(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const Ordering& plan) {
  const SearchLimits limits;
  return PlanJudge(start, members, rules, limits).judged(plan);
}

// True if the first plan is not farther from the wishes than the second one, and not dearer where both are as near.
bool is_no_dearer(const FoundPlan& a, const FoundPlan& b, PriceOrder order) {
  if (a.excess < b.excess - kSameScore || a.excess > b.excess + kSameScore) return a.excess < b.excess;
  const auto rank = [&](const PlacementPrice& p) { return price_rank(order, p.copied, p.moves, p.migrated); };
  return rank(a.price) <= rank(b.price);
}

// Eight hosts on shared storage; the memory that their instances use, in GiB of 100, is given host by host.
Cluster shared_hosts(const std::vector<std::vector<int>>& hosts) {
  std::string nodes, instances;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    int used = 0;
    for (std::size_t i = 0; i < hosts[h].size(); ++i) {
      used += hosts[h][i];
      instances += fmt::format("i{}-{}|{}|1024|1|running|Y|n{}||ext||1|-|N\n", h, i, hosts[h][i] * 1024, h);
    }
    nodes += fmt::format("n{}|{}|0|{}|102400|102400|32|N|u|1\n", h, 100 * 1024, (100 - used) * 1024);
  }
  Cluster cluster = read_text_cluster("g|u|preferred||\n\n" + nodes + "\n" + instances + "\n\n", "x.data");
  prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("nodes are emptied no dearer than by other options") {
  Random random(61);
  int emptied = 0;
  for (int round = 0; round < scaled(60); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 9, 30);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const NodeIndex node(random.index(cluster.nodes.size()));
    if (cluster.node(node).offline) continue;
    Trial trial(cluster);
    switch_off(trial, {&node, 1});
    const Cluster start = trial.cluster();
    SearchRules rules;
    for (const NodeIndex n : members.nodes) {
      if (start.node(n).offline) rules.wishes.emptied.push_back(n);
    }
    const FoundPlan best = judged(start, members, rules, search_cheapest(start, members, rules, {}, {.level = 2}));
    for (const bool evacuation : {false, true}) {
      SearchRules other = rules;
      other.balance.moves.evacuation = evacuation;
      for (const auto until : {std::optional<double>(), std::optional(1000.0)}) {
        SearchLimits limits;
        limits.until_score = until;
        for (const std::size_t level : {0U, 1U, 2U}) {
          CAPTURE(evacuation);
          CAPTURE(until.has_value());
          CAPTURE(level);
          const Ordering direct = search_plan(start, members, other, limits, {.level = level});
          CHECK(is_no_dearer(best, judged(start, members, rules, direct), PriceOrder::Cheapest));
          const Ordering cheap = search_cheapest(start, members, other, limits, {.level = level});
          CHECK(is_no_dearer(best, judged(start, members, rules, cheap), PriceOrder::Cheapest));
        }
      }
    }
    const Ordering hbal = greedy_plan(start, members, evacuation(rules.balance.moves));
    CHECK(is_no_dearer(best, judged(start, members, rules, hbal), PriceOrder::Cheapest));
    emptied += best.ordering.steps.empty() ? 0 : 1;
  }
  CHECK(emptied > 0);
}

TEST_CASE("limits on what nodes use are met with as few moves as by any short way") {
  Random random(62);
  int met = 0, best_of_all = 0;
  for (int round = 0; round < scaled(150); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 4, 6);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    SearchRules rules;
    auto& limits = random.chance(50) ? rules.wishes.at_most : rules.wishes.spread;
    limits[random.index(kResourceCount)] = static_cast<double>(random.between(5, 80)) / 100.0;
    Trial trial(cluster);
    std::optional<PriceRank> least;
    std::vector<BalanceStep> steps;
    for_each_way(trial, members, {}, cluster.instances.size(), 2, steps, [&](const auto&) {
      if (excess_of(trial.cluster(), members, rules.wishes) > kSameScore) return;
      const PlacementPrice price = judged(cluster, members, rules, ordering_of(steps)).price;
      const PriceRank rank = price_rank(PriceOrder::Fewest, price.copied, price.moves, price.migrated);
      if (!least || rank < *least) least = rank;
    });
    if (!least) continue;
    ++met;
    SearchLimits fewest;
    fewest.order = PriceOrder::Fewest;
    const FoundPlan found =
        judged(cluster, members, rules, search_cheapest(cluster, members, rules, fewest, {.level = 2}));
    CHECK(found.excess <= kSameScore);
    const PlacementPrice& price = found.price;
    best_of_all += price_rank(PriceOrder::Fewest, price.copied, price.moves, price.migrated) <= *least ? 1 : 0;
  }
  CHECK(met > 0);
  CHECK(best_of_all >= met * 95 / 100);
}

TEST_CASE("a node above its limit gives away one instance that is just large enough") {
  const Cluster cluster = shared_hosts({{10, 10}, {40, 25, 15, 5}, {20, 20}});
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  SearchRules rules;
  rules.wishes.at_most[kMemory] = 0.8;
  SearchLimits limits;
  limits.order = PriceOrder::Fewest;
  for (const std::size_t level : {0U, 5U}) {
    CAPTURE(level);
    const Ordering plan = search_cheapest(cluster, members, rules, limits, {.level = level});
    REQUIRE(plan.steps.size() == 1);
    CHECK(cluster.instance(plan.steps[0].step.instance).facts->memory == 5 * 1024);
  }
  rules.wishes.at_most[kMemory] = 0.9;
  CHECK(search_cheapest(cluster, members, rules, limits, {}).steps.empty());
}

TEST_CASE("the fullest nodes are relieved until the limits are met") {
  const Cluster cluster = shared_hosts({{30, 30, 30}, {30, 30}, {10}});
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  SearchRules rules;
  rules.wishes.spread[kMemory] = 0.3;
  const Ordering plan = relieving_moves(cluster, members, rules, PriceOrder::Fewest);
  CHECK(plan.steps.size() == 1);
  CHECK(judged(cluster, members, rules, plan).excess <= kSameScore);
}

}  // namespace htools::cheapest_test
