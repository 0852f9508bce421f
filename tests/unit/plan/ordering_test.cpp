#include "plan/ordering.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/small_groups.h"
#include "rules/move_application.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::ordering_test {

namespace {

using htools::Cluster;
using htools::GroupIndex;
using htools::GroupMembers;
using htools::Instance;
using htools::InstanceIndex;
using htools::Move;
using htools::MoveEffect;
using htools::MoveRules;
using htools::NodeIndex;
using htools::OrderedStep;
using htools::Ordering;
using htools::Placement;
using htools::Trial;
using htools::WantedPlacement;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;

bool is_allowed(const Cluster& cluster, InstanceIndex i, const Move& move, const MoveRules& rules) {
  return std::holds_alternative<MoveEffect>(htools::MoveTrials(cluster, i, rules.force).attempt(move));
}

// Makes random allowed moves.
void wander(Random& random, Trial& trial, const GroupMembers& members, std::int64_t moves, const MoveRules& rules) {
  const std::vector<InstanceIndex> movable = htools::candidate_instances(trial.cluster(), members, rules);
  if (movable.empty()) return;
  for (std::int64_t m = 0; m < moves; ++m) {
    const InstanceIndex i = random.one_of(movable);
    const std::vector<Move> all = generate_moves(trial.cluster(), members, trial.cluster().instance(i), rules);
    if (all.empty()) continue;
    const Move move = random.one_of(all);
    if (is_allowed(trial.cluster(), i, move, rules)) trial.apply(i, move);
  }
}

// What became of some targets.
struct Tally {
  int targets = 0, direct = 0, with_detours = 0, unreached = 0, steps = 0, detours = 0;
};

// Orders the moves to a placement that random moves have led to, and checks each step by the plain rules.
void order_and_check(Random& random, const Cluster& start, std::int64_t moves, Tally& tally) {
  const MoveRules rules;
  const GroupMembers members = members_of(start, GroupIndex(0));
  Trial there(start);
  wander(random, there, members, moves, rules);
  std::vector<WantedPlacement> wanted;
  for (InstanceIndex i : members.instances) {
    const Placement to = placement_of(there.cluster().instance(i));
    if (!(to == placement_of(start.instance(i)))) wanted.push_back({i, to});
  }
  if (wanted.empty()) return;
  Trial trial(start);
  const Ordering ordering = order_moves(trial, members, wanted, rules);
  Trial replay(start);
  int detours = 0;
  for (std::size_t s = 0; s < ordering.steps.size(); ++s) {
    const OrderedStep& step = ordering.steps[s];
    REQUIRE(step.step.before == placement_of(replay.cluster().instance(step.step.instance)));
    REQUIRE(is_allowed(replay.cluster(), step.step.instance, step.step.move, rules));
    replay.apply(step.step.instance, step.step.move);
    REQUIRE(step.step.after == placement_of(replay.cluster().instance(step.step.instance)));
    REQUIRE(same_score(step.step.score, htools::score(member_nodes(replay.cluster(), members))));
    if (step.enables) {
      ++detours;
      REQUIRE(*step.enables > s);
      REQUIRE(*step.enables < ordering.steps.size());
    }
  }
  for (const WantedPlacement& w : wanted) {
    const bool left = std::any_of(ordering.unreached.begin(), ordering.unreached.end(),
                                  [&](const auto& u) { return u.wanted.instance == w.instance; });
    REQUIRE(left != (placement_of(replay.cluster().instance(w.instance)) == w.placement));
  }
  ++tally.targets;
  tally.steps += static_cast<int>(ordering.steps.size());
  tally.detours += detours;
  ++(!ordering.unreached.empty() ? tally.unreached : detours > 0 ? tally.with_detours : tally.direct);
}

// Orders the move of the first instance of a cluster file to a pair of nodes, together with moves of many others that
// do not concern it: of many moves, the order by the score is the only one that is tried. Other instances of the file
// go to `others`. Returns the number of steps that it has taken, or -1 if it does not arrive.
int steps_of_first(const std::string& nodes, const std::string& instances, const std::string& tags,
                   std::pair<std::size_t, std::size_t> to, const std::vector<WantedPlacement>& others = {}) {
  constexpr std::size_t kOthers = 130;
  std::string text = "g|u|preferred||\n\n" + nodes +
                     "m|65536|0|59000|102400|101376|512|N|u|1\n"
                     "n|65536|0|65536|102400|102400|512|N|u|1\n\n" +
                     instances;
  for (std::size_t i = 0; i < kOthers; ++i) text += "o" + std::to_string(i) + "|8|0|1|running|Y|m||rbd||1\n";
  Cluster cluster = htools::read_text_cluster(text + "\n" + tags + "\n", "x.data");
  htools::prepare(cluster, {});
  std::vector<WantedPlacement> wanted{{InstanceIndex(0), {NodeIndex(to.first), NodeIndex(to.second)}}};
  wanted.insert(wanted.end(), others.begin(), others.end());
  for (std::size_t i = cluster.instances.size() - kOthers; i < cluster.instances.size(); ++i) {
    wanted.push_back({InstanceIndex(i), {NodeIndex(cluster.nodes.size() - 1), NodeIndex::none()}});
  }
  Trial trial(cluster);
  const Ordering ordering =
      order_moves(trial, members_of(cluster, GroupIndex(0)), wanted, {}, {.orders = 0, .detours = 0});
  if (!ordering.unreached.empty()) return -1;
  return static_cast<int>(
      std::ranges::count(ordering.steps, InstanceIndex(0), [](const OrderedStep& s) { return s.step.instance; }));
}

}  // namespace

TEST_CASE("no move leads to where migration tags forbid the next one") {
  // Instances may come from version 4 to 5, but not back. n2 is empty, so the score is best if it becomes primary
  // first; but from there no way leads to n3.
  const std::string nodes =
      "n0|16384|0|8192|102400|92160|8|N|u|1|hv:4\n"
      "n1|16384|0|16384|102400|92160|8|N|u|1|hv:4\n"
      "n2|16384|0|16384|102400|102400|8|N|u|1|hv:5\n"
      "n3|16384|0|12288|102400|102400|8|N|u|1|hv:4\n";
  const std::string instances =
      "a|8192|10240|4|running|Y|n0|n1|drbd||1\n"
      "b|4096|0|4|running|Y|n3||rbd||1\n";
  const std::string tags = "htools:migration:hv\nhtools:allowmigration:hv:4::hv:5\n";
  CHECK(steps_of_first(nodes, instances, tags, {3, 2}) == 2);
  CHECK(steps_of_first(nodes, instances, tags, {2, 3}) == 2);
}

TEST_CASE("a secondary node that cannot run the instance does not come before the primary node") {
  // n2 has much disk, so the score is best if it becomes secondary first; but it could not run the instance while the
  // primary is replaced, since too little memory is free beyond what it reserves for d.
  CHECK(steps_of_first("n0|16384|0|8192|102400|51200|8|N|u|1\n"
                       "n1|16384|0|16384|102400|51200|8|N|u|1\n"
                       "n2|65536|0|9000|409600|408576|8|N|u|1\n"
                       "n3|65536|0|12288|102400|60000|8|N|u|1\n",
                       "a|8192|51200|1|running|Y|n0|n1|drbd||1\n"
                       "b|56536|0|1|running|Y|n2||rbd||1\n"
                       "c|53248|0|1|running|Y|n3||rbd||1\n"
                       "d|5000|1024|1|running|Y|m|n2|drbd||1\n",
                       "", {3, 2}) == 2);
}

TEST_CASE("an instance that is in the way steps aside and comes back") {
  // a takes half of the memory of n1, so too little is left for b's failover; and it stays where it is in the end.
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|8192|0|8192|102400|72400|4|N|u|1\n"
      "n1|4096|0|2048|40960|10960|4|N|u|1\n\n"
      "a|2048|20480|2|ADMIN_down|Y|n1||ext||1\n"
      "b|2048|30000|2|running|Y|n1|n0|drbd||1\n\n",
      "x.data");
  htools::prepare(cluster, {});
  Trial trial(cluster);
  const std::vector<WantedPlacement> wanted{{InstanceIndex(1), {NodeIndex(0), NodeIndex(1)}}};
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  const std::optional<Ordering> cheapest = cheapest_order(trial, members, wanted, {}, std::nullopt);
  const Ordering ordering = order_moves(trial, members, wanted, {});
  CHECK(ordering.unreached.empty());
  REQUIRE(cheapest);
  for (const Ordering& found : {ordering, *cheapest}) {
    REQUIRE(found.steps.size() == 3);
    CHECK(found.steps[0].enables == std::optional<std::size_t>(1));
    CHECK_FALSE(found.steps[2].enables);
  }
  CHECK(placement_of(trial.cluster().instance(InstanceIndex(0))) == placement_of(cluster.instance(InstanceIndex(0))));
}

TEST_CASE("an instance that finds no room in the end moves before those that fill it") {
  // The score is best if the stopped b goes to n2 first; but then a could not be started there any more beside it.
  CHECK(steps_of_first("n0|16384|0|12288|1024000|972800|8|N|u|1\n"
                       "n1|16384|0|16384|1024000|972800|8|N|u|1\n"
                       "n2|16384|0|16384|102400|102400|8|N|u|1\n"
                       "n3|16384|0|14384|102400|102400|8|N|u|1\n",
                       "a|4096|51200|1|running|Y|n0|n1|drbd||1\n"
                       "b|14000|0|1|ADMIN_down|Y|n3||rbd||1\n"
                       "c|2000|0|1|running|Y|n3||rbd||1\n",
                       "", {0, 2}, {{InstanceIndex(1), {NodeIndex(2), NodeIndex::none()}}}) == 1);
}

TEST_CASE("moves are made in the order of the score if all of them stay possible") {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|16384|0|15360|102400|101376|8|N|u|1\n"
      "n1|16384|0|16384|102400|101376|8|N|u|1\n"
      "n2|16384|0|16384|102400|102400|8|N|u|1\n"
      "n3|16384|0|4096|102400|102400|8|N|u|1\n\n"
      "a|1024|1024|1|running|Y|n0|n1|drbd||1\n"
      "b|6144|0|1|running|Y|n3||rbd||1\n"
      "c|6144|0|1|running|Y|n3||rbd||1\n\n",
      "x.data");
  htools::prepare(cluster, {});
  Trial trial(cluster);
  const std::vector<WantedPlacement> wanted{{InstanceIndex(0), {NodeIndex(2), NodeIndex(1)}},
                                            {InstanceIndex(1), {NodeIndex(1), NodeIndex::none()}}};
  const Ordering ordering = order_moves(trial, members_of(cluster, GroupIndex(0)), wanted, {});
  REQUIRE(ordering.steps.size() == 2);
  CHECK(ordering.steps[0].step.instance == InstanceIndex(1));
  CHECK(ordering.steps[1].step.instance == InstanceIndex(0));
}

TEST_CASE("of several detours, the cheapest one is made") {
  // a and b exchange their nodes, which are full. One of them could make room by copying its disk to n3; c copies none.
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|4096|0|196|102400|82400|4|N|u|1\n"
      "n2|4096|0|196|102400|82400|4|N|u|1\n"
      "n3|4096|0|4096|102400|102400|4|N|u|1\n\n"
      "a|2000|10000|1|running|Y|n1|n2|drbd||1\n"
      "b|2000|10000|1|running|Y|n2|n1|drbd||1\n"
      "c|1900|0|1|running|Y|n1||rbd||1\n"
      "d|1900|0|1|running|Y|n2||rbd||1\n\n",
      "x.data");
  htools::prepare(cluster, {});
  Trial trial(cluster);
  const std::vector<WantedPlacement> wanted{{InstanceIndex(0), {NodeIndex(1), NodeIndex(0)}},
                                            {InstanceIndex(1), {NodeIndex(0), NodeIndex(1)}}};
  MoveRules rules;
  rules.force = true;
  const Ordering ordering = order_moves(trial, members_of(cluster, GroupIndex(0)), wanted, rules);
  CHECK(ordering.unreached.empty());
  CHECK(ordering.steps.size() == 4);
  for (const OrderedStep& s : ordering.steps) {
    CHECK((s.step.move.target.is_none() || s.step.instance == InstanceIndex(2) || s.step.instance == InstanceIndex(3)));
  }
}

TEST_CASE("a plan that continues another one keeps what its detours enable") {
  Ordering first, second;
  first.steps.resize(3);
  first.steps[0].enables = 1;
  second.steps.resize(2);
  second.steps[0].enables = 1;
  const Ordering both = concatenated(first, second);
  REQUIRE(both.steps.size() == 5);
  CHECK(both.steps[0].enables == std::optional<std::size_t>(1));
  CHECK(both.steps[3].enables == std::optional<std::size_t>(4));
  CHECK_FALSE(both.steps[4].enables);
}

TEST_CASE("placements that random allowed moves lead to are reached by allowed moves") {
  Random random(5);
  Tally tally;
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = random.between(3, 12);
    shape.instances = random.between(4, 60);
    shape.groups = 1;
    shape.templates = {htools::DiskTemplate::Drbd, htools::DiskTemplate::Drbd, htools::DiskTemplate::Rbd};
    shape.cordoned = 0;  // would leave few detours to find
    if (random.chance(50)) shape.crowded = 0;
    const Cluster cluster = random_cluster(random, shape);
    order_and_check(random, cluster, random.between(1, 80), tally);
  }
  MESSAGE(tally.targets, " targets: ", tally.direct, " direct, ", tally.with_detours, " with detours, ",
          tally.unreached, " not; ", tally.steps, " steps, ", tally.detours, " detours");
  CHECK(tally.targets > scaled_tally(250));
  CHECK(tally.with_detours > scaled_tally(8));
  CHECK(50 * tally.unreached < tally.targets);
}

}  // namespace htools::ordering_test
