#include "search/search.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "balance/move_generation.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "plan/schedule.h"
#include "plan/urgency.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::search_test {

namespace {

using htools::BalanceStep;
using htools::Cluster;
using htools::GroupMembers;
using htools::OrderedStep;
using htools::Ordering;
using htools::SearchEffort;
using htools::SearchLimits;
using htools::SearchRules;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// The state that a plan leads to, after each step was found to be allowed, and what it costs.
struct Outcome {
  Cluster after;
  double score = 0.0;
  std::int64_t steps = 0, copied = 0;
  htools::Stranded stranded = {};
};

// True if no more instances stay on nodes that are down, and the score is not higher if they are as many.
bool is_no_worse(const Outcome& a, const Outcome& b) {
  return a.stranded != b.stranded ? a.stranded < b.stranded : a.score <= b.score + 1e-9;
}

Outcome replay(const Cluster& start, const GroupMembers& members, const std::vector<BalanceStep>& steps) {
  Trial trial(start);
  Outcome outcome;
  for (const BalanceStep& step : steps) {
    REQUIRE(is_allowed(trial.cluster(), step, false));
    outcome.copied += cost_of(trial.cluster(), step, {}).copied_mib;
    trial.apply(step.instance, step.move);
    outcome.score = htools::score(member_nodes(trial.cluster(), members));
    REQUIRE(htools::testing::same_score(outcome.score, step.score));
  }
  outcome.steps = static_cast<std::int64_t>(steps.size());
  outcome.score = htools::score(member_nodes(trial.cluster(), members));
  outcome.stranded = htools::stranded(trial.cluster(), members);
  outcome.after = std::move(trial).take();
  return outcome;
}

std::vector<BalanceStep> steps_of(const Ordering& ordering) {
  std::vector<BalanceStep> steps;
  for (const OrderedStep& s : ordering.steps) steps.push_back(s.step);
  return steps;
}

Cluster some_cluster(Random& random) {
  ClusterShape shape = random_shape(random);
  shape.nodes = random.between(2, 10);
  shape.instances = random.between(2, 50);
  shape.groups = 1;
  if (random.chance(60)) {
    shape.templates = {htools::DiskTemplate::Drbd, htools::DiskTemplate::Drbd, htools::DiskTemplate::Rbd};
    shape.crowded = 0;
    shape.no_spindles = 0;
  }
  return random_cluster(random, shape);
}

// Returns a cluster of 20 nodes in one rack, some of which are full of drbd instances. Two instances at a time belong
// to a service, so each of these pairs adds 1 to the score wherever they are.
Cluster cluster_in_one_rack(Random& random) {
  constexpr std::int64_t kNodes = 20, kInstances = 200, kMemory = 131072, kDisk = 32'000'000;
  std::vector<std::int64_t> memory(kNodes, kMemory), disk(kNodes, kDisk);
  std::string nodes, instances;
  for (std::int64_t i = 0; i < kInstances; ++i) {
    const std::int64_t primary = random.between(0, random.between(0, kNodes - 1));
    const std::int64_t secondary = (primary + random.between(1, kNodes - 1)) % kNodes;
    const std::int64_t used_memory = random.between(128, 2048),
                       used_disk = std::int64_t{10'000} << random.between(0, 6);
    memory[static_cast<std::size_t>(primary)] -= used_memory;
    for (const std::int64_t n : {primary, secondary}) disk[static_cast<std::size_t>(n)] -= used_disk;
    instances += fmt::format("i{}|{}|{}|1|running|Y|n{}|n{}|drbd|service:{}|1|-|N\n", i, used_memory, used_disk,
                             primary, secondary, i / 2);
  }
  for (std::size_t n = 0; n < memory.size(); ++n) {
    nodes += fmt::format("n{}|{}|0|{}|{}|{}|32|N|u|1|rack:1\n", n, kMemory, memory[n], kDisk, disk[n]);
  }
  Cluster cluster =
      htools::read_text_cluster("g|u|preferred||\n\n" + nodes + "\n" + instances +
                                    "\nhtools:iextags:service\nhtools:nlocation:rack\n\n"
                                    "g|1024,1,10240,1,1,1|0,1,0,1,0,1;90000,9,90000,9,9,9|drbd|8.0|32.0\n",
                                "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

SearchLimits some_limits(Random& random) {
  SearchLimits limits;
  if (random.chance(40)) limits.max_steps = random.between(0, 12);
  if (random.chance(30)) limits.max_copied = random.between(0, 200000);
  if (random.chance(20)) limits.max_seconds = static_cast<double>(random.between(0, 400));
  return limits;
}

}  // namespace

TEST_CASE("plans obey the rules and the limits, and are never worse than the greedy ones") {
  Random random(21);
  int better = 0, plans = 0;
  for (int round = 0; round < scaled(500); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const SearchLimits limits = some_limits(random);
    const double start = htools::score(member_nodes(cluster, members));
    const std::vector<BalanceStep> steps = steps_of(search_plan(cluster, members, {}, limits, {.level = 3}));
    const Outcome outcome = replay(cluster, members, steps);
    CHECK(outcome.steps <= limits.max_steps.value_or(std::numeric_limits<std::int64_t>::max()));
    CHECK(outcome.copied <= limits.max_copied.value_or(std::numeric_limits<std::int64_t>::max()));
    if (limits.max_seconds) CHECK(htools::schedule_steps(cluster, steps, {}, {}).seconds <= *limits.max_seconds);
    const std::vector<BalanceStep> greedy = steps_of(search_plan(cluster, members, {}, limits, {.level = 0}));
    const Outcome plain = replay(cluster, members, greedy);
    if (!(start < std::numeric_limits<double>::infinity())) continue;
    CHECK(is_no_worse(outcome, plain));
    ++plans;
    better += outcome.score < plain.score - 1e-9 ? 1 : 0;
  }
  MESSAGE(better, " of ", plans, " plans are better than greedy ones");
  CHECK(better > scaled_tally(100));
}

TEST_CASE("disk that nothing needs makes no difference") {
  Random random(29);
  int moves = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = random.between(2, 10);
    shape.instances = random.between(2, 50);
    shape.groups = 1;
    shape.odd = 0;
    shape.templates = {htools::DiskTemplate::Diskless, htools::DiskTemplate::SharedFile, htools::DiskTemplate::Rbd,
                       htools::DiskTemplate::Ext};
    const Cluster facts = random_facts(random, shape);
    const auto with_disk = [&](std::int64_t mib) {
      Cluster cluster = facts;
      for (htools::Node& node : cluster.nodes) {
        node.facts.edit().total_disk = static_cast<double>(mib);
        node.facts.edit().free_disk = mib;
      }
      htools::PrepareOptions options;
      options.diskless_moves = true;
      htools::prepare(cluster, options);
      return cluster;
    };
    const SearchLimits limits = some_limits(random);
    const auto plan = [&](const Cluster& cluster) {
      const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
      const auto steps = steps_of(search_plan(cluster, members, {}, limits, {.level = 3}));
      replay(cluster, members, steps);
      return steps;
    };
    const std::vector<BalanceStep> without = plan(with_disk(0)), with = plan(with_disk(1024));
    REQUIRE(without.size() == with.size());
    for (std::size_t s = 0; s < with.size(); ++s) {
      CHECK(without[s].instance == with[s].instance);
      CHECK(without[s].after == with[s].after);
    }
    moves += static_cast<int>(with.size());
  }
  CHECK(moves > scaled_tally(200));
}

TEST_CASE("the plans of several groups are together within a limit of time") {
  Random random(26);
  int cut = 0;
  for (int round = 0; round < scaled(600); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = 8;
    shape.instances = random.between(10, 30);
    shape.groups = 2;
    shape.templates = {htools::DiskTemplate::Drbd};
    shape.crowded = 0;
    shape.no_spindles = 0;
    const Cluster cluster = random_cluster(random, shape);
    SearchLimits limits{.max_seconds = static_cast<double>(random.between(5, 150))};
    const auto plan_of = [&](std::size_t group, const SearchLimits& within) {
      return steps_of(search_plan(cluster, members_of(cluster, htools::GroupIndex(group)), {}, within, {.level = 0}));
    };
    const std::vector<BalanceStep> alone = plan_of(1, limits);
    limits.beside = plan_of(0, limits);
    std::vector<BalanceStep> both = limits.beside;
    const std::vector<BalanceStep> beside = plan_of(1, limits);
    both.insert(both.end(), beside.begin(), beside.end());
    CHECK(htools::schedule_steps(cluster, both, {}, {}).seconds <= *limits.max_seconds);
    cut += beside.size() < alone.size() ? 1 : 0;
  }
  CHECK(cut > 0);
}

TEST_CASE("plans with moves of local disks are never worse than greedy ones without") {
  Random random(27);
  int local = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = random.between(2, 8);
    shape.instances = random.between(2, 30);
    shape.groups = 1;
    shape.templates = {htools::DiskTemplate::Plain, htools::DiskTemplate::Drbd, htools::DiskTemplate::Rbd};
    Cluster cluster = random_cluster(random, shape);
    for (htools::Instance& i : cluster.instances) {
      if (i.facts->disk_template == htools::DiskTemplate::Plain) i.facts.edit().movable = true;
    }
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const SearchLimits limits = some_limits(random);
    const auto outcome_of = [&](std::size_t level, bool with_local) {
      SearchRules rules;
      rules.balance.moves.local_moves = with_local;
      const std::vector<BalanceStep> steps = steps_of(search_plan(cluster, members, rules, limits, {.level = level}));
      for (const BalanceStep& s : steps) local += cluster.instance(s.instance).facts->moves_with_disks() ? 1 : 0;
      return replay(cluster, members, steps);
    };
    const Outcome greedy = outcome_of(0, false);
    if (!(greedy.score < std::numeric_limits<double>::infinity())) continue;
    CHECK(is_no_worse(outcome_of(0, true), greedy));
    CHECK(is_no_worse(outcome_of(1, true), greedy));
  }
  CHECK(local > 0);
}

TEST_CASE("an evacuation moves what is on offline nodes, and nothing that has left them") {
  Random random(28);
  int moves = 0;
  for (int round = 0; round < scaled(200); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    SearchRules rules;
    rules.balance.moves.evacuation = true;
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    Trial trial(cluster);
    for (const BalanceStep& s : steps_of(search_plan(cluster, members, rules, some_limits(random), {.level = 2}))) {
      REQUIRE(is_candidate(trial.cluster(), trial.cluster().instance(s.instance), rules.balance.moves));
      trial.apply(s.instance, s.move);
      ++moves;
    }
  }
  CHECK(moves > 0);
}

TEST_CASE("a second search finds nothing more") {
  Random random(22);
  for (int round = 0; round < scaled(60); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const Outcome first = replay(cluster, members, steps_of(search_plan(cluster, members, {}, {}, {.level = 3})));
    CHECK(search_plan(first.after, members, {}, {}, {.level = 3}).steps.empty());
  }
}

TEST_CASE("plans down to a score are as cheap as the greedy ones, or cheaper") {
  Random random(23);
  for (int round = 0; round < scaled(100); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const Outcome greedy = replay(cluster, members, steps_of(search_plan(cluster, members, {}, {}, {.level = 0})));
    const SearchLimits limits{.max_steps = {}, .max_copied = {}, .max_seconds = {}, .until_score = greedy.score};
    const Outcome cheap = replay(cluster, members, steps_of(search_plan(cluster, members, {}, limits, {.level = 3})));
    if (!(greedy.score < std::numeric_limits<double>::infinity())) continue;
    CHECK(cheap.score <= greedy.score);
    CHECK(cheap.copied <= greedy.copied);
  }
}

// What tags add to the score must not make a little more of it seem cheap, or walks would end above what is wanted.
TEST_CASE("plans down to a score copy little, however much of it is there to stay") {
  Random random(27);
  std::int64_t copied = 0, greedily = 0;
  for (int round = 0; round < 4; ++round) {
    const Cluster cluster = cluster_in_one_rack(random);
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const Outcome greedy = replay(cluster, members, steps_of(search_plan(cluster, members, {}, {}, {.level = 0})));
    CHECK(greedy.score > 100);
    const SearchLimits limits{.max_steps = {}, .max_copied = {}, .max_seconds = {}, .until_score = greedy.score};
    const Outcome cheap = replay(cluster, members, steps_of(search_plan(cluster, members, {}, limits, {.level = 3})));
    copied += cheap.copied;
    greedily += greedy.copied;
  }
  MESSAGE(copied, " of ", greedily, " MiB copied");
  CHECK(copied < greedily / 2);
}

TEST_CASE("the number of threads does not change the plan") {
  Random random(24);
  for (int round = 0; round < scaled(40); ++round) {
    CAPTURE(round);
    const Cluster cluster = some_cluster(random);
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    // Half of the rounds ask for a score, since the lengths of walks then depend on how soon others have ended.
    SearchLimits limits;
    if (round % 2 == 1) {
      limits.until_score =
          replay(cluster, members, steps_of(search_plan(cluster, members, {}, {}, {.level = 0}))).score;
    }
    const auto plan = [&](std::size_t threads) {
      return steps_of(search_plan(cluster, members, {}, limits, {.level = 5, .seed = 3, .threads = threads}));
    };
    const std::vector<BalanceStep> alone = plan(1), shared = plan(4);
    REQUIRE(alone.size() == shared.size());
    for (std::size_t s = 0; s < alone.size(); ++s) {
      CHECK(alone[s].instance == shared[s].instance);
      CHECK(alone[s].move == shared[s].move);
    }
  }
}

TEST_CASE("a search that is stopped returns the greedy plan at least") {
  Random random(25);
  const std::atomic<bool> stop = true;
  const Cluster cluster = some_cluster(random);
  const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
  const Outcome stopped =
      replay(cluster, members,
             steps_of(search_plan(cluster, members, {}, {}, {.level = 9}, {.on_progress = {}, .stop = &stop})));
  const Outcome greedy = replay(cluster, members, steps_of(search_plan(cluster, members, {}, {}, {.level = 0})));
  CHECK(stopped.score <= greedy.score);
}

}  // namespace htools::search_test
