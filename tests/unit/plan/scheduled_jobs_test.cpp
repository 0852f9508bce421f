#include "plan/scheduled_jobs.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::scheduled_jobs_test {

namespace {

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2}, kN3{3}, kNone = NodeIndex::none();

// Returns four nodes, and instances on shared storage that need the more memory the later they come.
Cluster shared_storage() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|65536|0|59536|102400|102400|8|N|u|1\n"
      "n1|65536|0|65536|102400|102400|8|N|u|1\n"
      "n2|65536|0|65536|102400|102400|8|N|u|1\n"
      "n3|65536|0|65536|102400|102400|8|N|u|1\n\n"
      "a|1000|0|1|running|Y|n0||rbd||1\n"
      "b|1900|0|1|running|Y|n0||rbd||1\n"
      "c|2100|0|1|running|Y|n0||rbd||1\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

BalanceStep step_of(std::size_t instance, NodeIndex from, NodeIndex to) {
  return {InstanceIndex(instance), {MoveKind::FailoverToAny, to}, {from, kNone}, {to, kNone}, 0.0};
}

}  // namespace

TEST_CASE("the longest chain is that of the instance whose steps take longest together") {
  const Cluster cluster = shared_storage();
  const std::vector twice_a{step_of(0, kN0, kN1), step_of(1, kN0, kN2), step_of(0, kN1, kN3)};
  CHECK(ScheduledJobs(cluster, twice_a, {}).longest_chain() == std::vector<std::size_t>{0, 2});
  const std::vector beside_c{step_of(0, kN0, kN1), step_of(2, kN0, kN2), step_of(0, kN1, kN3)};
  CHECK(ScheduledJobs(cluster, beside_c, {}).longest_chain() == std::vector<std::size_t>{1});
  CHECK(ScheduledJobs(cluster, {}, {}).longest_chain().empty());
}

TEST_CASE("a job waits for the one before it of its instance, and for earlier ones that leave where it arrives") {
  const std::vector steps{step_of(0, kN0, kN1), step_of(0, kN1, kN3), step_of(1, kN0, kN1)};
  const ScheduledJobs jobs(shared_storage(), steps, {});
  CHECK(jobs.is_ready(0, {false, false, false}));
  CHECK_FALSE(jobs.is_ready(1, {false, false, false}));
  CHECK(jobs.is_ready(1, {true, false, false}));
  CHECK_FALSE(jobs.is_ready(2, {true, false, false}));
  CHECK(jobs.is_ready(2, {true, true, false}));
}

}  // namespace htools::scheduled_jobs_test
