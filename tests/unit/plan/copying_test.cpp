#include "plan/copying.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/plan.h"
#include "plan/scheduled_jobs.h"
#include "plan/timeline.h"

namespace htools::copying_test {

namespace {

using doctest::Approx;
using htools::BalanceStep;
using htools::Cluster;
using htools::CopyRules;
using htools::InstanceIndex;
using htools::Move;
using htools::MoveKind;
using htools::NodeIndex;
using htools::Placement;
using htools::ScheduledJob;
using htools::ScheduledJobs;
using htools::Transfer;
using htools::WaveTransfers;

constexpr NodeIndex kFirst{0}, kSecond{1}, kThird{2};

// Three nodes with tags, and two drbd instances on the first two.
Cluster three_nodes(const std::string& first_tags, const std::string& second_tags) {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|8192|102400|92400|8|N|u|1|" +
          first_tags + "\nn2|10240|0|10240|102400|92400|8|N|u|1|" + second_tags +
          "\nn3|10240|0|10240|102400|102400|8|N|u|1|\n\n"
          "a|1000|5000|1|running|Y|n1|n2|drbd|\n"
          "b|1000|5000|1|running|Y|n1|n2|drbd|\n\n",
      "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

BalanceStep step(std::size_t instance, const Placement& before, MoveKind kind, NodeIndex target) {
  const Move move{kind, target};
  return {InstanceIndex(instance), move, before, placement_after(before, move), 0.0};
}

// The first instance gets another secondary, and then another primary; the second one gets another secondary.
std::vector<BalanceStep> three_steps() {
  return {step(0, {kFirst, kSecond}, MoveKind::ReplaceSecondary, kThird),
          step(0, {kFirst, kThird}, MoveKind::ReplacePrimary, kSecond),
          step(1, {kFirst, kSecond}, MoveKind::ReplaceSecondary, kThird)};
}

}  // namespace

TEST_CASE("a tag of a node says how much it copies per second") {
  const CopyRules rules{.rate = 100};
  const auto bandwidth = [&](const std::string& tags) {
    return bandwidth_of(three_nodes(tags, "").node(kFirst), rules);
  };
  CHECK(bandwidth("") == 100.0);
  CHECK(bandwidth("htools:bandwidth:250") == 250.0);
  CHECK(bandwidth("htools:bandwidth:1") == 1.0);
  CHECK(bandwidth("htools:bandwidth:1g") == 1024.0);
  CHECK(bandwidth("htools:bandwidth:8mbit") == doctest::Approx(0.95367432));
  CHECK(bandwidth("rack:250") == 100.0);
  CHECK(bandwidth("htools:bandwidth:0") == 100.0);
  CHECK(bandwidth("htools:bandwidth:fast") == 100.0);
  CHECK(bandwidth("htools:bandwidth:fast,htools:bandwidth:50") == 50.0);
}

TEST_CASE("tags that are no bandwidth above 0 are named") {
  const Cluster cluster =
      three_nodes("htools:bandwidth:fast,rack:1,htools:bandwidth:50", "htools:bandwidth:0,htools:bandwidth:1");
  CHECK(unreadable_bandwidths(cluster) == std::vector<std::pair<std::string, std::string>>{
                                              {"n1", "htools:bandwidth:fast"}, {"n2", "htools:bandwidth:0"}});
}

TEST_CASE("a transfer takes as long as the slower one of its nodes needs") {
  const Cluster cluster = three_nodes("htools:bandwidth:50", "htools:bandwidth:200");
  const CopyRules rules{.rate = 100};
  CHECK(seconds_of(cluster, {}, rules) == 0.0);
  CHECK(seconds_of(cluster, {{kFirst, kSecond, 1000, true}}, rules) == 20.0);
  CHECK(seconds_of(cluster, {{kSecond, kFirst, 1000, true}}, rules) == 20.0);
  CHECK(seconds_of(cluster, {{kSecond, kThird, 1000, false}}, rules) == 10.0);
  CHECK(seconds_of(cluster, {{kSecond, kThird, 1000, true}, {kFirst, kThird, 1000, true}, {kThird, kSecond, 500, true}},
                   rules) == 35.0);
  CHECK(seconds_of(three_nodes("htools:bandwidth:1", ""), {{kFirst, kSecond, 7, true}}, rules) == 7.0);
}

TEST_CASE("the copies of a step come one after the other, and its wave after the wave before") {
  const Cluster cluster = three_nodes("", "");
  htools::Plan plan;
  for (const BalanceStep& s : three_steps()) {
    htools::PlannedStep& planned = plan.steps.emplace_back();
    planned.number = plan.steps.size();
    planned.step = s;
  }
  plan.waves = {{.steps = {1}, .seconds = 50.0}, {.steps = {3, 2}, .seconds = 70.0}};
  const auto timeline = timeline_of(cluster, plan, {.rate = 100});
  std::vector<std::size_t> steps;
  std::vector<double> times;
  for (const htools::TimedTransfer& t : timeline) {
    steps.push_back(t.step);
    times.push_back(t.from);
    times.push_back(t.to);
  }
  // A new primary takes the memory to the secondary, the disk to the new node, and the memory on to its new primary.
  // The disk of the other step, from n1 to n3, shares n1 with the first migration (20 s at 50 MiB/s each), then n3 with
  // the disk, until its other 4000 MiB have gone after 80 s; the disk's last 1000 MiB take 10 s and the memory 10 s.
  CHECK(steps == std::vector<std::size_t>{1, 3, 2, 2, 2});
  CHECK(times == std::vector{0.0, 50.0, 50.0, 150.0, 50.0, 70.0, 70.0, 160.0, 160.0, 170.0});
}

TEST_CASE("a step waits for those of its instance, and for those before it that make room where it goes") {
  const Cluster cluster = three_nodes("", "");
  // The third step makes room on n2, where the second one goes, but comes after it.
  const std::vector<BalanceStep> steps = three_steps();
  const ScheduledJobs jobs(cluster, steps, {.rate = 100});
  CHECK(jobs.all()[0].previous == ScheduledJob::kNoStep);
  CHECK(jobs.all()[1].previous == 0);
  CHECK(jobs.all()[2].previous == ScheduledJob::kNoStep);
  CHECK(jobs.all()[0].arrives == std::vector{kThird});
  CHECK(jobs.all()[0].leaves == std::vector{kSecond});
  CHECK(jobs.all()[1].arrives == std::vector{kSecond, kThird});
  CHECK(jobs.all()[1].leaves == std::vector{kFirst, kThird});
  CHECK(jobs.is_ready(0, {false, false, false}));
  CHECK_FALSE(jobs.is_ready(1, {false, false, false}));
  CHECK(jobs.is_ready(1, {true, false, false}));
  // The third step goes to n3, which the second one leaves.
  CHECK_FALSE(jobs.is_ready(2, {true, false, false}));
  CHECK(jobs.is_ready(2, {true, true, false}));
}

TEST_CASE("the longest chain has the steps of the instance whose steps take longest together") {
  const Cluster cluster = three_nodes("", "");
  const std::vector<BalanceStep> steps = three_steps();
  CHECK(ScheduledJobs(cluster, steps, {.rate = 100}).longest_chain() == std::vector<std::size_t>{0, 1});
  CHECK(ScheduledJobs(cluster, std::vector{steps[2], steps[0]}, {.rate = 100}).longest_chain() ==
        std::vector<std::size_t>{0});  // the first of equals
  CHECK(ScheduledJobs(cluster, {}, {.rate = 100}).longest_chain().empty());
}

TEST_CASE("a wave has room for so many copies and migrations from or to a node, and so many in all") {
  const Cluster cluster = three_nodes("", "");
  const ScheduledJobs jobs(cluster, three_steps(), {.rate = 100});
  const ScheduledJob &first = jobs.all()[0], &both_kinds = jobs.all()[1], &last = jobs.all()[2];
  ScheduledJob migration;
  migration.transfers = {Transfer{kFirst, kThird, 1000, false}};
  CHECK(WaveTransfers::nodes_of(first, true) == std::vector{kFirst, kThird});
  CHECK(WaveTransfers::nodes_of(first, false).empty());
  CHECK(WaveTransfers::nodes_of(migration, true).empty());
  CHECK(WaveTransfers::nodes_of(migration, false) == std::vector{kFirst, kThird});

  const CopyRules one{.rate = 100, .migrations_per_node = 2};
  WaveTransfers transfers(cluster, one);
  CHECK(transfers.has_room(first));
  transfers.add(migration);
  CHECK(transfers.has_room(first));
  transfers.add(first);
  CHECK_FALSE(transfers.has_room(last));
  CHECK(transfers.has_room(migration));
  transfers.add(migration);
  CHECK_FALSE(transfers.has_room(migration));
  CHECK_FALSE(transfers.has_room(both_kinds));  // which migrates from n1, too

  const CopyRules two{.rate = 100, .copies_per_node = 2, .parallel_copies = 1};
  WaveTransfers copies(cluster, two);
  CHECK(copies.has_room(first));
  copies.add(migration);
  CHECK(copies.has_room(first));
  copies.add(first);
  CHECK_FALSE(copies.has_room(last));

  const CopyRules three{.rate = 100, .migrations_per_node = 3, .parallel_migrations = 2};
  WaveTransfers migrations(cluster, three);
  migrations.add(migration);
  CHECK(migrations.has_room(migration));
  migrations.add(migration);
  CHECK_FALSE(migrations.has_room(migration));
  CHECK(migrations.has_room(first));
}

TEST_CASE("a wave takes as long as its transfers that share the rates of their nodes") {
  const Cluster cluster = three_nodes("", "");
  const CopyRules rules{.rate = 100, .copies_per_node = 2};
  const ScheduledJobs jobs(cluster, three_steps(), rules);
  WaveTransfers transfers(cluster, rules);
  CHECK(transfers.seconds() == 0.0);
  transfers.add(jobs.all()[0]);
  CHECK(transfers.seconds() == 50.0);
  transfers.add(jobs.all()[2]);
  CHECK(transfers.seconds() == 100.0);
}

}  // namespace htools::copying_test
