#include "goals/limit_reasons.h"

#include <doctest/doctest.h>

#include <cstddef>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::limit_reasons_test {

TEST_CASE("a step that a limit forces says which one, by the shares of which it speaks") {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10000|0|1500|100000|100000|4|N|u|1\n"
      "n2|10000|0|9000|100000|100000|4|N|u|1\n\n"
      "a|7000|1024|2|running|Y|n1||ext||1|-|N\n"
      "b|1500|1024|2|running|Y|n1||ext||1|-|N\n"
      "c|1000|1024|2|running|Y|n2||ext||1|-|N\n\n",
      "x.data");
  prepare(cluster, {});
  const auto step_with = [&](const Wishes& wishes, const char* reason) {
    const Move move{MoveKind::FailoverToAny, NodeIndex(1)};
    Plan plan;
    plan.steps.push_back(
        {.number = 1,
         .step = {InstanceIndex(1), move, {NodeIndex(0), NodeIndex::none()}, {NodeIndex(1), NodeIndex::none()}, 0.0},
         .group = GroupIndex(0),
         .reason = reason,
         .cost = {}});
    name_limits(plan, cluster, wishes);
    return plan.steps.front();
  };
  const auto reason_with = [&](const Wishes& wishes, const char* reason) { return step_with(wishes, reason).reason; };
  const auto memory = static_cast<std::size_t>(Resource::Memory), cpus = static_cast<std::size_t>(Resource::Cpus);
  Wishes at_most, spread, met;
  at_most.at_most[memory] = 0.8;
  at_most.at_most[cpus] = 0.9;
  spread.spread[cpus] = 0.1;
  met.at_most[memory] = 0.85;
  CHECK(reason_with(at_most, "balance: memory") == "limit: physical cpus of n1 125 -> 75 %");
  const Served serves = step_with(at_most, "balance: memory").serves;
  CHECK(serves.kind == ServedKind::Limit);
  CHECK(serves.resource == "cpus");
  CHECK(serves.node == NodeIndex(0));
  CHECK(reason_with(spread, "balance") == "limit: physical cpus of n1 125 -> 75 %");
  CHECK(reason_with(met, "balance") == "balance");
  CHECK(reason_with({}, "balance") == "balance");
  CHECK(reason_with(at_most, "evacuates n1") == "evacuates n1");
}

}  // namespace htools::limit_reasons_test
