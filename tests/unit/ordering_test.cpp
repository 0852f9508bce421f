#include "plan/ordering.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

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

}  // namespace

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
