#include "plan/timeline.h"

#include <doctest/doctest.h>

#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "rules/move_application.h"

namespace htools::timeline_test {

namespace {

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2};

// Two mirrored instances with 1000 MiB of memory and 5000 MiB of disk.
Cluster two_instances() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|65536|0|63536|102400|92400|8|N|u|1\n"
      "n1|65536|0|65536|102400|92400|8|N|u|1\n"
      "n2|65536|0|65536|102400|102400|8|N|u|1\n\n"
      "a|1000|5000|1|running|Y|n0|n1|drbd||1\n"
      "b|1000|5000|1|running|Y|n0|n1|drbd||1\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

PlannedStep step_of(std::size_t number, MoveKind kind, NodeIndex target) {
  PlannedStep step;
  step.number = number;
  const Placement before{kN0, kN1};
  const Move move{kind, target};
  step.step = {InstanceIndex(number - 1), move, before, placement_after(before, move), 0.0};
  return step;
}

void check(const TimedTransfer& timed, std::size_t step, std::int64_t mib, double from, double to) {
  CHECK(timed.step == step);
  CHECK(timed.transfer.mib == mib);
  CHECK(timed.from == from);
  CHECK(timed.to == to);
}

}  // namespace

TEST_CASE("copies of a step come one after the other, and waves one after the other") {
  Plan plan;
  plan.steps = {step_of(1, MoveKind::ReplaceAndFailover, kN2), step_of(2, MoveKind::Failover, NodeIndex::none())};
  // The first wave takes longer than its step would take alone.
  plan.waves = {{.steps = {1}, .seconds = 70.0}, {.steps = {2}, .seconds = 10.0}};
  const std::vector<TimedTransfer> one_by_one = timeline_of(two_instances(), plan, {});
  REQUIRE(one_by_one.size() == 3);
  check(one_by_one[0], 1, 5000, 0.0, 50.0);
  check(one_by_one[1], 1, 1000, 50.0, 60.0);
  check(one_by_one[2], 2, 1000, 70.0, 80.0);
  plan.waves = {{.steps = {1, 2}, .seconds = 60.0}};
  const std::vector<TimedTransfer> together = timeline_of(two_instances(), plan, {});
  REQUIRE(together.size() == 3);
  check(together[2], 2, 1000, 0.0, 20.0);  // at half the rate of n0, which the copy has, too
}

}  // namespace htools::timeline_test
