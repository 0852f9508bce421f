#include "search/worth.h"

#include <doctest/doctest.h>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::worth_test {

namespace {

using htools::testing::Random;
using htools::testing::scaled;

// A plan after whose steps the scores are these.
Ordering plan_with(const std::vector<double>& scores) {
  Ordering plan;
  for (const double score : scores) plan.steps.emplace_back().step.score = score;
  return plan;
}

PlanEnd worthiest(const std::vector<Ordering>& plans, const WorthScale& scale) {
  return ends_by_worth(plans, scale).front();
}

}  // namespace

TEST_CASE("a plan ends where a further share of the instances brings less than that share of the gain") {
  // Of ten instances, the moves bring 50, 30, 11, 5 and 4 per cent of the gain.
  const std::vector<Ordering> plans{plan_with({50.0, 20.0, 9.0, 4.0, 0.0})};
  const auto moves = [&](double worth) { return worthiest(plans, {100.0, 10, worth}).steps; };
  CHECK(moves(1.0) == 3);
  CHECK(moves(2.0) == 2);
  CHECK(moves(4.0) == 1);
  CHECK(moves(6.0) == 0);
  CHECK(moves(0.45) == 4);
  CHECK(moves(0.0) == 5);
}

TEST_CASE("a few moves of equal use are all worth it") {
  // The deviations of 9, 3 and 1 instances on three nodes, until there are 5, 4 and 4.
  const std::vector<Ordering> plans{plan_with({4.55, 3.27, 2.16, 0.82})};
  CHECK(worthiest(plans, {5.89, 13, 1.0}).steps == 4);
}

TEST_CASE("the best of several plans wins, and of equal ones the lower score") {
  const std::vector<Ordering> plans{plan_with({8.0, 6.0, 0.0}), plan_with({5.0}), plan_with({5.0, 4.0})};
  const PlanEnd end = worthiest(plans, {10.0, 4, 1.0});
  CHECK(end.plan == 0);  // 100 % for three of four instances: 0.25, as much as 50 % for one
  CHECK(end.steps == 3);
  CHECK(worthiest(plans, {10.0, 4, 1.1}).plan == 1);
}

TEST_CASE("what repairs a problem does not hide what the moves after it bring") {
  // The first move brings 80 of 100; the others even out the rest.
  const std::vector<Ordering> plans{plan_with({20.0, 12.0, 6.0, 1.0, 0.0})};
  CHECK(worthiest(plans, {100.0, 10, 1.0}).steps == 1);
  CHECK(worthiest(plans, {.score_before = 100.0, .moves = 10, .worth = 1.0, .score_when_safe = 20.0}).steps == 4);
  CHECK(worthiest(plans, {.score_before = 100.0, .moves = 10, .worth = 1.0, .score_when_safe = 0.0}).steps == 5);
}

TEST_CASE("without a gain nothing is worth a move") {
  CHECK(worthiest({plan_with({3.0})}, {3.0, 5, 1.0}).steps == 0);
  CHECK(worthiest({}, {3.0, 0, 1.0}).steps == 0);
}

TEST_CASE("a higher worth never asks for more moves") {
  Random random(4711);
  for (int round = 0; round < scaled(100); ++round) {
    std::vector<Ordering> plans;
    for (int p = 0; p < 3; ++p) {
      std::vector<double> scores;
      for (int s = 0; s < 8; ++s) scores.push_back(static_cast<double>(random.between(0, 999)));
      plans.push_back(plan_with(scores));
    }
    std::size_t moves = 8;
    for (const double worth : {0.0, 0.3, 1.0, 1.7, 4.0, 20.0}) {
      const PlanEnd end = worthiest(plans, {1000.0, 8, worth});
      CHECK(end.steps <= moves);
      moves = end.steps;
    }
  }
}

TEST_CASE("the beginning of a plan forgets what its detours were for, if that is cut off") {
  Ordering plan = plan_with({3.0, 2.0, 1.0});
  plan.steps[0].enables = 1;
  plan.steps[1].enables = 2;
  const Ordering two = beginning_of(plan, 2);
  REQUIRE(two.steps.size() == 2);
  CHECK(two.steps[0].enables == 1);
  CHECK(!two.steps[1].enables);
}

}  // namespace htools::worth_test
