#include "search/plan_judge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "search/greedy.h"

namespace htools::plan_judge_test {

namespace {

// Returns eight mirrored instances on two of four nodes, with disks of 1000 MiB and memory of 1000 MiB.
Cluster lopsided_cluster() {
  std::string instances;
  for (int i = 0; i < 8; ++i) instances += "i" + std::to_string(i) + "|1000|1000|1|running|Y|n0|n1|drbd||1\n";
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|32768|0|24768|102400|94400|8|N|u|1\n"
      "n1|32768|0|32768|102400|94400|8|N|u|1\n"
      "n2|32768|0|32768|102400|102400|8|N|u|1\n"
      "n3|32768|0|32768|102400|102400|8|N|u|1\n\n" +
          instances + "\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

// A judge with what it refers to.
struct Judge {
  explicit Judge(SearchLimits of_plans = {}) : limits(std::move(of_plans)) {}

  Cluster cluster = lopsided_cluster();
  GroupMembers members = members_of(cluster, GroupIndex(0));
  SearchRules rules;
  SearchLimits limits;
  PlanJudge judge{cluster, members, rules, limits};
  Ordering plain = greedy_plan(cluster, members, rules.balance);
};

FoundPlan found(double excess, double score, const PlacementPrice& price) {
  FoundPlan plan;
  plan.excess = excess;
  plan.score = score;
  plan.price = price;
  return plan;
}

}  // namespace

TEST_CASE("a plan has the score that it leads to, and the price of its steps") {
  const Judge j;
  REQUIRE(j.plain.steps.size() > 4);
  const FoundPlan plan = j.judge.judged(j.plain);
  CHECK(plan.score == j.plain.steps.back().step.score);
  CHECK(plan.price.moves == static_cast<std::int64_t>(j.plain.steps.size()));
  CHECK(plan.price.copied > 0);
  CHECK(plan.price.copied % 1000 == 0);
  CHECK(plan.price.migrated > 0);
  CHECK(plan.excess == 0.0);
  const FoundPlan none = j.judge.judged({});
  CHECK(none.score == score(member_nodes(j.cluster, j.members)));
  CHECK(none.price == PlacementPrice{});
}

TEST_CASE("wishes come before the wanted score, that before any score, and prices last") {
  const Judge j;
  const auto is_better = [&](const PlanJudge& judge, const FoundPlan& a, const FoundPlan& b) {
    CHECK_FALSE((judge.is_better(a, b) && judge.is_better(b, a)));
    return judge.is_better(a, b);
  };
  CHECK(is_better(j.judge, found(1.0, 5.0, {9, 9, 9}), found(2.0, 4.0, {1, 1, 1})));
  CHECK(is_better(j.judge, found(1.0, 4.0, {9, 9, 9}), found(1.0, 5.0, {1, 1, 1})));
  CHECK(is_better(j.judge, found(0.0, 4.0, {9, 1, 9}), found(0.0, 4.0, {1, 2, 1})));
  CHECK(is_better(j.judge, found(0.0, 4.0, {1, 1, 9}), found(0.0, 4.0, {2, 1, 1})));
  CHECK(is_better(j.judge, found(0.0, 4.0, {1, 1, 1}), found(0.0, 4.0, {1, 1, 2})));
  CHECK_FALSE(is_better(j.judge, found(0.0, 4.0, {1, 1, 1}), found(0.0, 4.0, {1, 1, 1})));
  const Judge wanted({.until_score = 4.5});
  CHECK(is_better(wanted.judge, found(0.0, 4.4, {9, 9, 9}), found(0.0, 4.6, {1, 1, 1})));
  CHECK(is_better(wanted.judge, found(0.0, 4.4, {1, 1, 1}), found(0.0, 3.0, {1, 9, 1})));
  CHECK(wanted.judge.is_enough(4.5));
  CHECK_FALSE(wanted.judge.is_enough(4.6));
  CHECK_FALSE(j.judge.is_enough(0.0));
}

TEST_CASE("the beginning of a plan is within the limits, and ends where the score is lowest") {
  const auto length = [](const SearchLimits& limits) {
    const Judge j(limits);
    const Ordering part = j.judge.beginning(j.plain);
    CHECK(j.judge.is_within_limits(j.judge.judged(part)));
    return part.steps.size();
  };
  const std::size_t whole = Judge().plain.steps.size();
  CHECK(length({}) == whole);
  CHECK(length({.max_steps = 2}) == 2);
  CHECK(length({.max_steps = 0}) == 0);
  std::size_t longest = 0;
  for (const std::int64_t copied : {0, 1000, 2000, 3000, 1'000'000}) {
    const std::size_t now = length({.max_copied = copied});
    CHECK(now >= longest);
    longest = now;
  }
  CHECK(length({.max_copied = 1000}) < whole);
  CHECK(longest == whole);
}

TEST_CASE("the greedy plan is cut where it would exceed a limit, or has reached the score that is wanted") {
  const auto greedy = [](const SearchLimits& limits) { return Judge(limits).judge.greedy(nullptr).ordering.steps; };
  const Judge plain;
  const std::vector<OrderedStep>& whole = plain.plain.steps;
  CHECK(greedy({}).size() == whole.size());
  CHECK(greedy({.max_steps = 3}).size() == 3);
  const double start = score(member_nodes(plain.cluster, plain.members));
  CHECK(greedy({.until_score = start}).empty());
  CHECK(greedy({.until_score = whole[0].step.score}).size() == 1);
  CHECK(greedy({.until_score = whole[2].step.score}).size() == 3);
  // The longest part that takes no longer.
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CAPTURE(length);
    Ordering part = plain.plain;
    part.steps.resize(length);
    const double seconds = plain.judge.seconds(part);
    const std::vector<OrderedStep> cut = greedy({.max_seconds = seconds});
    CHECK(cut.size() >= length);
    part.steps = cut;
    CHECK(plain.judge.seconds(part) <= seconds);
  }
}

}  // namespace htools::plan_judge_test
