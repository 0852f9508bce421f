#include <doctest/doctest.h>

#include <cstdint>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "trial/trial.h"

namespace htools::revisions_test {

namespace {

using htools::Attempt;
using htools::Cluster;
using htools::InstanceIndex;
using htools::MoveKind;
using htools::NodeIndex;
using htools::Trial;

constexpr NodeIndex kFirst{0}, kSecond{1}, kThird{2};

Cluster three_nodes() {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|8192|102400|92400|8|N|u|1\n"
      "n2|10240|0|10240|102400|92400|8|N|u|1\n"
      "n3|10240|0|10240|102400|102400|8|N|u|1\n\n"
      "a|1000|5000|1|running|Y|n1|n2|drbd|\n\n",
      "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("revisions tell what has changed, and what has been undone") {
  Trial trial(three_nodes());
  const std::uint64_t start = trial.revision(), instances = trial.instances_revision();
  const std::uint64_t first = trial.revision(kFirst), second = trial.revision(kSecond), third = trial.revision(kThird);
  {
    const Attempt attempt(trial);
    CHECK(trial.revision() == start);
    trial.apply(InstanceIndex(0), {MoveKind::ReplaceSecondary, kThird});
    CHECK(trial.revision() != start);
    CHECK(trial.revision(kFirst) != first);
    CHECK(trial.revision(kSecond) != second);
    CHECK(trial.revision(kThird) != third);
    CHECK(trial.instances_revision() != instances);
  }
  // Undoing is a change, too.
  const std::uint64_t undone = trial.revision(kThird), latest = trial.revision(), moved = trial.instances_revision();
  CHECK(undone != third);
  CHECK(moved != instances);
  trial.change(kThird).books.tag_conflicts += 1;
  CHECK(trial.revision(kThird) != undone);
  CHECK(trial.revision() != latest);
  CHECK(trial.instances_revision() == moved);
  CHECK(trial.revision(kThird) == trial.revision());
}

TEST_CASE("no two states of a node have the same revision") {
  Trial trial(three_nodes());
  trial.change(kFirst).books.tag_conflicts += 1;
  const std::uint64_t once = trial.revision(kFirst);
  {
    const Attempt attempt(trial);
    trial.change(kFirst).books.tag_conflicts += 1;
    CHECK(trial.revision(kFirst) > once);
  }
  CHECK(trial.revision(kFirst) > once + 1);
  const std::uint64_t undone = trial.revision(kFirst);
  trial.change(InstanceIndex(0));
  CHECK(trial.revision(kFirst) == undone);
  CHECK(trial.revision() > undone);
}

}  // namespace htools::revisions_test
