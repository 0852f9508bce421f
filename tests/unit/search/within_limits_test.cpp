// A looser limit never leads to a worse plan: what is found within tight limits is known within looser ones.
#include "search/within_limits.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "cluster/members.h"
#include "metric/statistics.h"
#include "search/plan_judge.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::within_limits_test {
namespace {

using testing::ClusterShape;
using testing::Random;
using testing::scaled;
using testing::scaled_tally;

Cluster some_cluster(Random& random) {
  ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, 8);
  shape.instances = random.between(2, 30);
  shape.groups = 1;
  shape.no_spindles = 0;
  if (random.chance(70)) {
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
    shape.crowded = 0;
  }
  return random_cluster(random, shape);
}

FoundPlan plan_within(const Cluster& cluster, const GroupMembers& members, const SearchLimits& limits) {
  const SearchRules rules;
  const PlanJudge judge(cluster, members, rules, limits);
  FoundPlan plan = judge.judged(search_within(cluster, members, rules, limits, {.level = 1}, {}));
  CHECK(judge.is_within_limits(plan));
  return plan;
}

}  // namespace

TEST_CASE("a looser limit never leads to a worse plan") {
  constexpr double kMibPerGib = 1024.0, kSecondsPerMinute = 60.0;
  Random random(71);
  int better = 0;
  for (int round = 0; round < scaled(60); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const double start = score(member_nodes(cluster, members));
    if (!(start < std::numeric_limits<double>::infinity())) continue;
    std::vector<SearchLimits> moves, copies, times;
    for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 12, 20, 50}) moves.push_back({.max_steps = n});
    for (const double gib : {0.0, 1.0, 10.0, 40.0, 80.0, 200.0, 1000.0}) {
      copies.push_back({.max_copied = static_cast<std::int64_t>(gib * kMibPerGib)});
    }
    for (const double minutes : {0.0, 1.0, 5.0, 10.0, 15.0, 30.0, 120.0}) {
      times.push_back({.max_seconds = minutes * kSecondsPerMinute});
    }
    for (const std::vector<SearchLimits>& looser : {moves, copies, times}) {
      double best = start;
      for (std::size_t l = 0; l < looser.size(); ++l) {
        CAPTURE(l);
        const double found = plan_within(cluster, members, looser[l]).score;
        CHECK(found <= best + kSameScore);
        better += found < best - kSameScore ? 1 : 0;
        best = found;
      }
    }
  }
  CHECK(better > scaled_tally(120));
}

TEST_CASE("a score that a plan within looser limits reaches is reached as cheaply as by that plan") {
  Random random(72);
  int reached = 0;
  for (int round = 0; round < scaled(40); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const FoundPlan longest = plan_within(cluster, members, {.max_steps = 20});
    if (longest.ordering.steps.empty()) continue;
    const double wanted = longest.score + kSameScore;
    const FoundPlan cheapest = plan_within(cluster, members, {.max_steps = 20, .until_score = wanted});
    CHECK(cheapest.score <= wanted);
    ++reached;
  }
  CHECK(reached > scaled_tally(15));
}

}  // namespace htools::within_limits_test
