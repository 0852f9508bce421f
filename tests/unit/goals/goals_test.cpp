#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/new_instance.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "goals/defragmenting.h"
#include "goals/emptying.h"
#include "goals/retirement.h"
#include "goals/room.h"
#include "grow/must_stay.h"
#include "htools/allocate.h"
#include "htools/capacity.h"
#include "htools/errors.h"
#include "metric/statistics.h"
#include "plan/cheapest_way.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "plan/small_groups.h"
#include "search/search.h"
#include "search/tradeoff.h"
#include "search/wishes.h"
#include "tests/support/all_ways.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::goals_test {
namespace {

using testing::ClusterShape;
using testing::for_each_way;
using testing::Random;
using testing::scaled;

Cluster small_cluster(Random& random, int most_nodes, int most_instances) {
  ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, most_nodes);
  shape.instances = random.between(1, most_instances);
  shape.groups = 1;
  shape.no_spindles = 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
  return random_cluster(random, shape);
}

// Makes the steps, each of which must be allowed.
void replay(Trial& trial, const std::vector<BalanceStep>& steps) {
  for (const BalanceStep& step : steps) {
    REQUIRE(is_allowed(trial.cluster(), step, false));
    trial.apply(step.instance, step.move);
  }
}

WayPrice price_of(const Cluster& start, const std::vector<BalanceStep>& steps) {
  WayPrice price;
  Trial trial(start);
  for (const BalanceStep& step : steps) {
    price += price_of(trial.cluster(), step);
    trial.apply(step.instance, step.move);
  }
  return price;
}

bool finds_place(const Cluster& cluster, const NewInstance& instance) {
  return find_place(cluster, instance, {.group = GroupIndex(0)}).choice() != nullptr;
}

// Looks at all ways of at most `depth` moves. Returns the lowest price of those after which the instance fits.
std::optional<WayPrice> best_by_trying_all(const Cluster& cluster, const NewInstance& instance, std::size_t depth) {
  std::optional<WayPrice> best;
  Trial trial(cluster);
  std::vector<BalanceStep> steps;
  for_each_way(trial, members_of(cluster, GroupIndex(0)), {}, cluster.instances.size(), depth, steps, [&](const auto&) {
    if (!finds_place(trial.cluster(), instance)) return;
    const WayPrice price = price_of(cluster, steps);
    if (!best || price < *best) best = price;
  });
  return best;
}

TEST_CASE("room is made by the cheapest of all short ways") {
  Random random(41);
  int as_it_is = 0, by_moves = 0, not_at_all = 0;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 4, 7);
    NewInstance wanted;
    wanted.name = "wanted";
    wanted.disk_template = random.chance(50) ? DiskTemplate::Drbd : DiskTemplate::Rbd;
    wanted.memory_mib = random.between(1, 4000);
    wanted.disk_mib = random.between(1, 20000);
    std::optional<WayPrice> best;
    RoomPlan plan;
    Trial trial(cluster);
    try {
      best = best_by_trying_all(cluster, wanted, 2);
      plan = make_room(cluster, {GroupIndex(0)}, {wanted}, {}, {.states = 20000});
    } catch (const InputError&) {
      continue;  // the cluster cannot be judged
    }
    if (best) REQUIRE(!plan.homeless);
    if (plan.homeless) {
      ++not_at_all;
      continue;
    }
    replay(trial, plan.steps);
    CHECK(finds_place(trial.cluster(), wanted));
    const WayPrice price = price_of(cluster, plan.steps);
    if (best) CHECK(price <= *best);
    ++(plan.steps.empty() ? as_it_is : by_moves);
  }
  CHECK(as_it_is > 0);
  CHECK(by_moves > 0);
  CHECK(not_at_all > 0);
}

TEST_CASE("several new instances are placed one beside the other") {
  Random random(43);
  int all_placed = 0, homeless = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 4, 7);
    std::vector<NewInstance> wanted(3);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      wanted[i].name = "wanted" + std::to_string(i);
      wanted[i].disk_template = random.chance(50) ? DiskTemplate::Drbd : DiskTemplate::Rbd;
      wanted[i].memory_mib = random.between(1, 2000);
      wanted[i].disk_mib = random.between(1, 20000);
    }
    RoomPlan plan;
    Trial trial(cluster);
    try {
      plan = make_room(cluster, {GroupIndex(0)}, wanted, {}, {.states = 200});
      replay(trial, plan.steps);
      for (const auto& [i, place] : plan.placed) {
        REQUIRE(finds_place(trial.cluster(), wanted[i]));
        const InstanceIndex index(trial.cluster().instances.size());
        const Instance instance = request_place(trial.cluster(), wanted[i], GroupIndex(0)).instance;
        carry_out(trial, {instance, index}, place, index);
      }
    } catch (const InputError&) {
      continue;  // the cluster cannot be judged
    }
    CHECK(plan.placed.size() == plan.homeless.value_or(wanted.size()));
    if (plan.homeless) CHECK_FALSE(finds_place(trial.cluster(), wanted[*plan.homeless]));
    ++(plan.homeless ? homeless : all_placed);
  }
  CHECK(all_placed > 0);
  CHECK(homeless > 0);
}

TEST_CASE("nodes are emptied by moves that keep all rules, as if they were online") {
  Random random(46);
  int moves = 0;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 5, 12);
    std::vector<NodeIndex> emptied;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(30)) emptied.emplace_back(n);
    }
    Trial trial(cluster);
    switch_off(trial, emptied);
    const std::vector<BalanceStep> steps = balance(trial, members_of(cluster, GroupIndex(0)), {}).steps;
    Trial online(cluster);
    replay(online, steps);
    moves += static_cast<int>(steps.size());
  }
  CHECK(moves > 0);
}

TEST_CASE("a node of a small cluster is emptied by the cheapest of all short ways") {
  Random random(47);
  int emptied = 0, helped = 0, not_at_all = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 4, 6);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const NodeIndex node(random.index(cluster.nodes.size()));
    Trial trial(cluster);
    switch_off(trial, {&node, 1});
    const Cluster start = trial.cluster();
    const auto is_empty = [&] { return staying_on(trial.cluster(), {&node, 1}, {}).empty(); };
    std::optional<WayPrice> best;
    std::vector<BalanceStep> steps;
    for_each_way(trial, members, {}, cluster.instances.size(), 2, steps, [&](const auto&) {
      const WayPrice price = price_of(start, steps);
      if (is_empty() && (!best || price < *best)) best = price;
    });
    const std::optional<Way> way = cheapest_emptying(trial, members, {&node, 1}, {}, std::nullopt);
    if (best) REQUIRE(way);
    if (!way) {
      ++not_at_all;
      continue;
    }
    CHECK(way->price == price_of(start, way->steps));
    if (best) CHECK(way->price <= *best);
    CHECK_FALSE(cheapest_emptying(trial, members, {&node, 1}, {}, way->price));
    for (const BalanceStep& step : way->steps) {
      const bool is_off = step.before.primary == node || step.before.secondary == node;
      helped += is_off ? 0 : 1;
    }
    replay(trial, way->steps);
    CHECK(is_empty());
    ++emptied;
  }
  CHECK(emptied > 0);
  CHECK(helped > 0);
  CHECK(not_at_all > 0);
}

TEST_CASE("places in a small cluster are reached by the cheapest of all short ways") {
  Random random(48);
  int reached = 0;
  for (int round = 0; round < scaled(150); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 4, 5);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    Trial trial(cluster);
    // By the places of all instances, in the order of the index: the lowest price of those ways that lead there.
    std::map<std::vector<std::size_t>, WayPrice> prices;
    std::vector<BalanceStep> steps;
    const auto places = [&] {
      std::vector<std::size_t> all;
      for (const Instance& instance : trial.cluster().instances) {
        for (const NodeIndex n : nodes_of(placement_of(instance))) all.push_back(n.position());
      }
      return all;
    };
    for_each_way(trial, members, {}, cluster.instances.size(), 2, steps, [&](const auto&) {
      const WayPrice price = price_of(cluster, steps);
      const auto [known, is_new] = prices.try_emplace(places(), price);
      if (!is_new) known->second = std::min(known->second, price);
    });
    const auto& [wanted_places, price] =
        *std::next(prices.begin(), static_cast<std::ptrdiff_t>(random.index(prices.size())));
    std::vector<WantedPlacement> wanted;
    auto place = wanted_places.begin();
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      Placement to{NodeIndex(*place++), NodeIndex::none()};
      if (!placement_of(cluster.instances[i]).secondary.is_none()) to.secondary = NodeIndex(*place++);
      wanted.push_back({InstanceIndex(i), to});
    }
    const std::optional<Ordering> ordering = cheapest_order(trial, members, wanted, {}, std::nullopt);
    REQUIRE(ordering);
    steps.clear();
    for (const OrderedStep& s : ordering->steps) {
      steps.push_back(s.step);
    }
    CHECK(price_of(cluster, steps) <= price);
    replay(trial, steps);
    CHECK(places() == wanted_places);
    reached += steps.empty() ? 0 : 1;
  }
  CHECK(reached > 0);
}

TEST_CASE("a score is reached in a small cluster by the cheapest of all short ways") {
  Random random(49);
  int reached = 0;
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 3, 3);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const auto score_in = [&](const Cluster& state) { return score(member_nodes(state, members)); };
    Trial trial(cluster);
    std::vector<double> scores;
    std::vector<BalanceStep> steps;
    const auto look = [&](const auto& visit) {
      for_each_way(trial, members, {}, cluster.instances.size(), 3, steps, [&](const auto&) { visit(); });
    };
    look([&] { scores.push_back(score_in(trial.cluster())); });
    const double wanted = random.one_of(scores);
    std::optional<WayPrice> best;
    look([&] {
      const WayPrice price = price_of(cluster, steps);
      if (score_in(trial.cluster()) <= wanted && (!best || price < *best)) best = price;
    });
    const std::optional<Way> way = best_way_to(trial, members, {}, PriceOrder::Cheapest,
                                               [&](Trial& t) { return score_in(t.cluster()) <= wanted; });
    REQUIRE(way);
    CHECK(way->price <= *best);
    CHECK(way->price == price_of(cluster, way->steps));
    replay(trial, way->steps);
    CHECK(score_in(trial.cluster()) <= wanted);
    reached += way->steps.empty() ? 0 : 1;
  }
  CHECK(reached > 0);
}

TEST_CASE("what is forthcoming or would raise the score leaves nodes that are to be emptied, too") {
  for (const bool forthcoming : {false, true}) {
    CAPTURE(forthcoming);
    Cluster cluster = read_text_cluster(std::string("g|u|preferred||\n\n"
                                                    "n1|16384|0|15360|102400|102400|8|N|u|1\n"
                                                    "n2|16384|0|16384|102400|102400|8|N|u|1\n"
                                                    "n3|16384|0|16384|102400|102400|8|N|u|1\n\n"
                                                    "a|1024|1024|1|running|Y|n1||ext||1|-|") +
                                            (forthcoming ? "Y\n\n" : "N\n\n"),
                                        "x.data");
    if (!forthcoming) cluster.instances[0].facts.edit().utilisation = {60.0, 60.0, 60.0, 60.0};
    prepare(cluster, {});
    const NodeIndex emptied(0);
    Trial trial(cluster);
    switch_off(trial, {&emptied, 1});
    SearchRules rules;
    rules.wishes.emptied = {emptied};
    const Ordering plan = search_plan(trial.cluster(), members_of(cluster, GroupIndex(0)), rules, {}, {.level = 1});
    for (const OrderedStep& s : plan.steps) trial.apply(s.step.instance, s.step.move);
    CHECK(staying_on(trial.cluster(), {&emptied, 1}, {}).empty());
  }
}

TEST_CASE("retired nodes can be emptied, all others stay safe, and the bound is a bound") {
  Random random(42);
  int retired = 0;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 5, 12);
    std::size_t online = 0;
    for (const Node& node : cluster.nodes) online += node.offline ? 0 : 1;
    const Retirement choice = choose_retirement(cluster, {GroupIndex(0)}, std::nullopt, {});
    const std::size_t least = least_nodes(cluster, GroupIndex(0), {});
    CHECK(online - choice.nodes.size() >= least);
    if (online == cluster.nodes.size()) {
      CHECK(std::cmp_greater_equal(online - choice.nodes.size(), nodes_that_must_stay(cluster, GroupIndex(0), false)));
    }
    if (choice.nodes.empty()) continue;
    ++retired;
    Trial trial(cluster);
    CHECK(try_emptying(cluster, trial, choice.nodes, {}).is_done());

    Trial emptied(cluster);
    switch_off(emptied, choice.nodes);
    SearchRules search_rules;
    search_rules.wishes.emptied = choice.nodes;
    const Cluster start = emptied.cluster();
    for (std::size_t level = 0; level <= 1; ++level) {
      const Attempt attempt(emptied);
      const Ordering plan = search_plan(start, members_of(cluster, GroupIndex(0)), search_rules, {}, {.level = level});
      for (const OrderedStep& s : plan.steps) emptied.apply(s.step.instance, s.step.move);
      CHECK(staying_on(emptied.cluster(), choice.nodes, {}).empty());
    }
  }
  CHECK(retired > 0);
}

TEST_CASE("a single retired node is the cheapest of those that can be emptied") {
  Random random(43);
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 5, 10);
    const auto price_without = [&](NodeIndex n) -> std::optional<WayPrice> {
      Trial trial(cluster);
      const EmptyingTrial emptied = try_emptying(cluster, trial, {&n, 1}, {});
      return emptied.is_done() ? std::optional(emptied.price) : std::nullopt;
    };
    const Retirement choice = choose_retirement(cluster, {GroupIndex(0)}, 1, {});
    std::optional<WayPrice> best;
    std::size_t online = 0;
    for (const Node& node : cluster.nodes) online += node.offline ? 0 : 1;
    for (std::size_t n = 0; online > 1 && n < cluster.nodes.size(); ++n) {
      if (cluster.nodes[n].offline || cluster.nodes[n].facts->master) continue;
      const std::optional<WayPrice> price = price_without(NodeIndex(n));
      if (price && (!best || *price < *best)) best = price;
    }
    REQUIRE(choice.nodes.size() == (best ? 1 : 0));
    if (best) CHECK(price_without(choice.nodes.front()) == *best);
  }
}

TEST_CASE("defragmenting never makes fewer instances fit") {
  Random random(44);
  int better = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 6, 15);
    const SimulatedSize size{.memory = random.between(100, 3000), .disk = random.between(100, 5000), .vcpus = 1};
    const CapacityOptions options{.kind = {random.chance(50) ? DiskTemplate::Drbd : DiskTemplate::Rbd, 1}};
    const auto fitting = [&](const Cluster& state) -> std::int64_t {
      try {
        return fill(state, size, options).added();
      } catch (const InputError&) {
        return 0;
      }
    };
    const Defragmentation found =
        defragment(cluster, {GroupIndex(0)}, {.memory = size.memory, .disk = size.disk, .vcpus = size.vcpus}, {}, {},
                   {.max_steps = 30}, fitting);
    CHECK(found.before == fitting(cluster));
    CHECK(found.after >= found.before);
    Trial trial(cluster);
    replay(trial, found.steps);
    CHECK(fitting(trial.cluster()) == found.after);
    if (found.after > found.before) ++better;
  }
  CHECK(better > 0);
}

TEST_CASE("wishes come before the score, and are never met less than by the greedy plan") {
  Random random(45);
  int met = 0, missed = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 6, 25);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    SearchRules rules;
    if (random.chance(60)) rules.wishes.at_most[0] = static_cast<double>(random.between(10, 90)) / 100.0;
    if (random.chance(60)) rules.wishes.spread[random.index(3)] = static_cast<double>(random.between(0, 40)) / 100.0;
    if (random.chance(30)) rules.wishes.factors[random.index(kComponentCount)] = random.chance(50) ? 0.0 : 3.0;
    const auto outcome_at = [&](std::size_t level) {
      Trial trial(cluster);
      for (const OrderedStep& s : search_plan(cluster, members, rules, {}, {.level = level}).steps) {
        REQUIRE(is_allowed(trial.cluster(), s.step, false));
        trial.apply(s.step.instance, s.step.move);
      }
      return std::pair(excess_of(trial.cluster(), members, rules.wishes),
                       wished_score(trial.cluster(), members, rules.wishes));
    };
    const auto [excess, score] = outcome_at(3);
    const auto [greedy_excess, greedy_score] = outcome_at(0);
    CHECK(excess <= greedy_excess + 1e-9);
    if (excess >= greedy_excess - 1e-9) CHECK(score <= greedy_score + 1e-9);
    if (rules.wishes.has_limits()) ++(excess < 1e-9 ? met : missed);
  }
  CHECK(met > 0);
  CHECK(missed > 0);
}

TEST_CASE("the band of a spread is nowhere wider than it") {
  Random random(46);
  for (int round = 0; round < scaled(300); ++round) {
    const Cluster cluster = small_cluster(random, 6, 25);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    Wishes wishes;
    wishes.spread[0] = static_cast<double>(random.between(0, 60)) / 100.0;
    if (std::ranges::all_of(cluster.nodes, &Node::offline)) continue;
    const ShareBand band = bands_of(cluster, members, wishes)[0];
    CHECK(band.highest - band.lowest <= *wishes.spread[0] + 1e-12);
    bool is_met = true;
    for (const NodeIndex n : members.nodes) {
      if (cluster.node(n).offline) continue;
      const double share = used_shares(cluster.node(n))[0];
      is_met = is_met && share >= band.lowest - kShareTolerance && share <= band.highest + kShareTolerance;
    }
    if (is_met) CHECK(excess_of(cluster, members, wishes) < 1e-8);
  }
}

TEST_CASE("plans to choose from keep their limits") {
  Random random(47);
  for (int round = 0; round < scaled(60); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 6, 25);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const std::vector<Ordering> plans = search_tradeoff(cluster, members, {}, {}, {.level = 2});
    REQUIRE(plans.size() == kTradeoffPlans);
    const Ordering first = search_plan(cluster, members, {}, {}, {.level = 2});  // the shares are shares of this
    const auto copied_by = [&](const Ordering& plan) {
      std::int64_t copied = 0;
      for (const OrderedStep& s : plan.steps) copied += cost_of(cluster, s.step, {}).copied_mib;
      return static_cast<double>(copied);
    };
    const auto most_moves = static_cast<double>(first.steps.size()), most_copied = copied_by(first);
    for (std::size_t p = 0; p < plans.size(); ++p) {
      std::vector<BalanceStep> steps;
      for (const OrderedStep& s : plans[p].steps) steps.push_back(s.step);
      Trial trial(cluster);
      replay(trial, steps);
      const double share_of_moves = p >= 1 && p <= kShareOfMoves.size() ? kShareOfMoves[p - 1] : 1.0;
      if (p <= kShareOfMoves.size()) {
        CHECK(static_cast<double>(steps.size()) <= std::max(1.0, share_of_moves * most_moves));
      } else {
        CHECK(copied_by(plans[p]) <= kShareOfCopies[p - 1 - kShareOfMoves.size()] * most_copied);
      }
    }
  }
}

}  // namespace
}  // namespace htools::goals_test
