// Plans for small clusters, compared with all that there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cluster/members.h"
#include "goals/emptying.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "search/search.h"
#include "tests/support/all_ways.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::short_plans_test {
namespace {

using testing::for_each_way;
using testing::Random;
using testing::scaled;

constexpr std::size_t kMostMoves = 2;
constexpr double kSameScore = 1e-9;

Cluster small_cluster(Random& random, std::size_t most_instances = 8) {
  testing::ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, 4);
  shape.instances = random.between(1, static_cast<int>(most_instances));
  shape.groups = 1;
  shape.no_spindles = shape.exclusive = shape.migration_tagged = shape.forthcoming = 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
  return random_cluster(random, shape);
}

double score_of(const Cluster& cluster, const GroupMembers& members) {
  return htools::score(member_nodes(cluster, members));
}

// What is to be lowered: first what stays on nodes that are to be emptied, then the score.
struct Merit {
  std::size_t staying = 0;
  double score = 0.0;
  bool beats(const Merit& other) const {
    if (staying != other.staying) return staying < other.staying;
    return score < other.score - kSameScore;
  }
};

// Compares a search with all ways of at most kMostMoves moves; `emptied` are the nodes that are to be empty. Returns
// true if no way is better. (Ways that leave the nodes that remain less safe do not count.)
bool is_best(const Cluster& start, const std::vector<NodeIndex>& emptied) {
  const GroupMembers members = members_of(start, GroupIndex(0));
  Trial trial(start);
  const auto merit = [&] {
    return Merit{staying_on(trial.cluster(), emptied, {}).size(), score_of(trial.cluster(), members)};
  };
  Merit best = merit();
  std::vector<BalanceStep> way;
  for_each_way(trial, members, {}, start.instances.size(), kMostMoves, way, [&](const auto&) {
    if (!emptied.empty() && !newly_unsafe(start, trial.cluster()).empty()) return;
    const Merit m = merit();
    if (m.beats(best)) best = m;
  });
  SearchRules rules;
  rules.wishes.emptied = emptied;
  for (const OrderedStep& s :
       search_plan(start, members, rules, {.max_steps = kMostMoves, .min_gain = 0.0}, {}).steps) {
    trial.apply(s.step.instance, s.step.move);
  }
  const Merit found = merit();
  if (emptied.empty() || newly_unsafe(start, trial.cluster()).empty()) CHECK_FALSE(found.beats(best));
  return !best.beats(found);
}

using Placements = std::vector<Placement>;  // by instance

// Brings all instances to their places, whether that is allowed or not.
void go_to(Trial& trial, const Placements& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const InstanceIndex instance(i);
    for (;;) {
      const auto moves = moves_towards(placement_of(trial.cluster().instance(instance)), places[i]);
      if (moves.empty()) break;
      trial.apply(instance, moves.front());
    }
  }
}

// Returns the lowest score of all placements that allowed moves lead to, however many.
double lowest_score(const Cluster& start, const GroupMembers& members) {
  const MoveRules rules;
  Trial trial(start);
  const auto key = [](const Placements& places) {
    std::string text;
    for (const Placement& p : places)
      text += std::to_string(p.primary.position()) + ":" +
              (p.secondary.is_none() ? "" : std::to_string(p.secondary.position())) + " ";
    return text;
  };
  const auto here = [&] {
    Placements places;
    for (const Instance& instance : trial.cluster().instances) places.push_back(placement_of(instance));
    return places;
  };
  double lowest = score_of(start, members);
  std::vector<Placements> open{here()};
  std::unordered_set<std::string> seen{key(open.front())};
  while (!open.empty()) {
    const Placements places = std::move(open.back());
    open.pop_back();
    go_to(trial, places);
    std::vector<BalanceStep> way;
    for_each_way(trial, members, rules, start.instances.size(), 1, way, [&](const auto&) {
      Placements next = here();
      if (!seen.insert(key(next)).second) return;
      lowest = std::min(lowest, score_of(trial.cluster(), members));
      open.push_back(std::move(next));
    });
  }
  return lowest;
}

}  // namespace

TEST_CASE("plans of two moves are nearly always the best of all") {
  Random random(51);
  int plans = 0, best = 0;
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random);
    if (!(score_of(cluster, members_of(cluster, GroupIndex(0))) < std::numeric_limits<double>::infinity())) continue;
    ++plans;
    best += is_best(cluster, {}) ? 1 : 0;
  }
  MESSAGE(best, " of ", plans, " plans are optimal");
  CHECK(best >= plans * 95 / 100);
}

TEST_CASE("plans without limits nearly always lead to the best of all placements") {
  Random random(53);
  int plans = 0, best = 0;
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random, 3);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    if (!(score_of(cluster, members) < std::numeric_limits<double>::infinity())) continue;
    const Ordering found = search_plan(cluster, members, {}, {.min_gain = 1e-6}, {});
    const double score = found.steps.empty() ? score_of(cluster, members) : found.steps.back().step.score;
    ++plans;
    best += score <= lowest_score(cluster, members) + kSameScore ? 1 : 0;
  }
  MESSAGE(best, " of ", plans, " plans are optimal");
  CHECK(best >= plans * 95 / 100);
}

TEST_CASE("nodes are emptied as far as two moves allow") {
  Random random(52);
  int plans = 0, best = 0;
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random);
    const NodeIndex emptied(random.index(cluster.nodes.size()));
    Trial trial(cluster);
    switch_off(trial, {&emptied, 1});
    if (!(score_of(trial.cluster(), members_of(cluster, GroupIndex(0))) < std::numeric_limits<double>::infinity()))
      continue;
    ++plans;
    best += is_best(trial.cluster(), {emptied}) ? 1 : 0;
  }
  MESSAGE(best, " of ", plans, " plans are optimal");
  CHECK(best >= plans * 95 / 100);
}

}  // namespace htools::short_plans_test
