#include "search/lowest.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "search/plan_judge.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::lowest_test {

namespace {

using htools::testing::Random;
using htools::testing::scaled;

// Returns a cluster of ten equal nodes with shared storage, whose instances can be exchanged in many ways.
Cluster some_cluster(Random& random) {
  constexpr std::int64_t kNodes = 10, kInstances = 47, kMemory = 65536;
  std::vector<std::int64_t> memory(kNodes, kMemory);
  std::string nodes, instances;
  for (std::int64_t i = 0; i < kInstances; ++i) {
    const std::int64_t node = random.between(0, random.between(0, kNodes - 1));
    const std::int64_t used = std::int64_t{256} << random.between(0, 3);
    memory[static_cast<std::size_t>(node)] -= used;
    instances += fmt::format("i{}|{}|0|{}|running|Y|n{}||rbd|\n", i, used, 1 << random.between(0, 2), node);
  }
  for (std::size_t n = 0; n < memory.size(); ++n) {
    nodes += fmt::format("n{}|{}|0|{}|409600|409600|64|N|u|1||N|0|0\n", n, kMemory, memory[n]);
  }
  Cluster cluster = read_text_cluster("g|u|preferred||\n\n" + nodes + "\n" + instances + "\n", "x.data");
  prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("the lowest score is reached by a plan that is no dearer, and often cheaper, than the search finds alone") {
  constexpr SearchEffort kEffort{.level = 3};
  Random random(29);
  int cheaper = 0;
  for (int round = 0; round < scaled(60); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const SearchRules rules;
    const SearchLimits none;
    const PlanJudge judge(cluster, members, rules, none);
    const FoundPlan alone = judge.judged(search_plan(cluster, members, rules, {}, kEffort));
    const FoundPlan plan = judge.judged(search_lowest(cluster, members, rules, {}, kEffort));
    CHECK(plan.score <= alone.score + 2 * kSameScore);
    CHECK(plan.price.moves <= alone.price.moves);
    CHECK(plan.price.copied <= alone.price.copied);
    cheaper += int{plan.price.moves < alone.price.moves || plan.price.copied < alone.price.copied};
    Trial trial(cluster);
    for (const OrderedStep& s : plan.ordering.steps) trial.apply(s.step.instance, s.step.move);
    if (plan.price.moves < alone.price.moves) {
      CHECK(search_plan(trial.cluster(), members, rules, {}, kEffort).steps.empty());
    }
  }
  CHECK(cheaper > 0);
}

}  // namespace htools::lowest_test
