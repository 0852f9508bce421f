#include "plan/progress.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/paths.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "trial/trial.h"

namespace htools::progress_test {

namespace {

using htools::testing::ClusterShape;
using htools::testing::for_each_seed;
using htools::testing::Random;

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2}, kN3{3};
constexpr InstanceIndex kA{0}, kB{1};

// Returns four nodes, and two instances with nodes n0 and n1, unless they are given others.
Cluster four_nodes(const std::string& nodes_of_a = "n0|n1", const std::string& nodes_of_b = "n0|n1") {
  std::string text = "g|u|preferred||\n\n";
  for (const char* node : {"n0", "n1", "n2", "n3"})
    text += std::string(node) + "|16384|0|16384|102400|102400|8|N|u|1\n";
  text +=
      "\na|1000|5000|1|running|Y|" + nodes_of_a + "|drbd||1\nb|1000|5000|1|running|Y|" + nodes_of_b + "|drbd||1\n\n";
  Cluster cluster = read_text_cluster(text, "x.data");
  prepare(cluster, {});
  return cluster;
}

ResolvedPlacement placement(InstanceIndex instance, std::vector<NodeIndex> from, std::vector<NodeIndex> to) {
  return {.unit = "step", .line = 1, .instance = instance, .from = std::move(from), .to = std::move(to)};
}

// The same placements as a file has them that says only where instances go.
std::vector<ResolvedPlacement> without_origins(std::vector<ResolvedPlacement> placements) {
  for (ResolvedPlacement& p : placements) p.from.clear();
  return placements;
}

// Makes the first actions of a move.
void make_part(Trial& trial, const BalanceStep& step, std::size_t actions) {
  for (const MoveAction action : facts(step.move.kind).actions().first(actions)) {
    const MoveKind kind = kind_of(action);
    trial.apply(step.instance, {kind, kind == MoveKind::Failover ? NodeIndex::none() : step.move.target});
  }
}

std::vector<ResolvedPlacement> document_of(const std::vector<BalanceStep>& steps) {
  std::vector<ResolvedPlacement> placements;
  for (const BalanceStep& s : steps) placements.push_back(placement(s.instance, nodes_of(s.before), nodes_of(s.after)));
  return placements;
}

std::vector<Placement> places_in(const Cluster& cluster) {
  std::vector<Placement> places;
  for (const Instance& instance : cluster.instances) places.push_back(placement_of(instance));
  return places;
}

// Makes random allowed moves on the trial.
std::vector<BalanceStep> random_plan(Random& random, Trial& trial, const GroupMembers& members) {
  std::vector<BalanceStep> steps;
  const std::vector<InstanceIndex> movable = candidate_instances(trial.cluster(), members, {});
  for (std::int64_t left = movable.empty() ? 0 : random.between(1, 12); left > 0; --left) {
    const InstanceIndex i = random.one_of(movable);
    const Placement before = placement_of(trial.cluster().instance(i));
    const std::vector<Move> moves = generate_moves(trial.cluster(), members, trial.cluster().instance(i), {});
    if (moves.empty()) continue;
    const Move move = random.one_of(moves);
    const BalanceStep step{i, move, before, placement_after(before, move), 0.0};
    if (!is_allowed(trial.cluster(), step, false)) continue;
    trial.apply(i, move);
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

TEST_CASE("an instance between the jobs of its step is where the plan puts it") {
  const std::vector plan{placement(kA, {kN0, kN1}, {kN2, kN0}), placement(kB, {kN0, kN1}, {kN2, kN1})};
  struct State {
    const char *a, *b;
    std::size_t done, right;
  };
  for (const State& state :
       {State{"n0|n1", "n0|n1", 0, 2}, State{"n0|n2", "n0|n1", 0, 2}, State{"n2|n0", "n1|n0", 1, 1},
        State{"n2|n0", "n1|n2", 1, 1}, State{"n0|n2", "n2|n1", 1, 1}, State{"n2|n0", "n2|n1", 2, 0}}) {
    CAPTURE(state.a);
    CAPTURE(state.b);
    for (const auto& placements : {plan, without_origins(plan)}) {
      const RestOfProposal rest = rest_of(four_nodes(state.a, state.b), placements);
      CHECK(rest.done == state.done);
      CHECK(rest.right == state.right);
      CHECK(rest.stale == 0);
      CHECK(rest.strays.empty());
      CHECK(rest.wanted.size() == state.right);
      for (const WantedPlacement& w : rest.wanted)
        CHECK(w.placement == (w.instance == kA ? Placement{kN2, kN0} : Placement{kN2, kN1}));
    }
  }
}

TEST_CASE("an instance where the plan has never put it is a stray one") {
  const RestOfProposal rest = rest_of(four_nodes("n0|n3"), {placement(kA, {kN0, kN1}, {kN2, kN0})});
  CHECK(rest.stale == 1);
  CHECK(rest.strays == std::vector{kA});
  CHECK(rest.wanted.empty());
}

TEST_CASE("the second step of an instance begins where the first one ends") {
  const std::vector plan{placement(kA, {kN0, kN1}, {kN1, kN0}), placement(kA, {kN1, kN0}, {kN3, kN1})};
  for (const auto& placements : {plan, without_origins(plan)}) {
    const std::vector<InstanceProgress> progress = progress_of(four_nodes("n1|n3"), placements);
    REQUIRE(progress.size() == 1);
    CHECK(progress[0].done == 1);
    CHECK(progress[0].is_expected);
  }
  // One node stands for two: the secondary node stays.
  const std::vector short_plan{placement(kA, {}, {kN1}), placement(kA, {}, {kN3})};
  const RestOfProposal rest = rest_of(four_nodes(), short_plan);
  REQUIRE(rest.wanted.size() == 1);
  CHECK(rest.wanted[0].placement == Placement{kN3, kN0});
}

TEST_CASE("other instances say whether one has not left yet or has come back") {
  const std::vector plan{placement(kA, {kN0, kN1}, {kN1, kN0}), placement(kB, {kN0, kN1}, {kN2, kN1}),
                         placement(kA, {kN1, kN0}, {kN0, kN1})};
  CHECK(progress_of(four_nodes("n0|n1", "n0|n1"), plan)[0].done == 0);
  CHECK(progress_of(four_nodes("n0|n1", "n2|n1"), plan)[0].done == 2);
  CHECK(progress_of(four_nodes("n0|n1", "n2|n1"), without_origins(plan))[0].done == 2);
}

TEST_CASE("what was made before is judged pointless, and a step that stopped half-way goes on") {
  const std::vector plan{placement(kA, {kN0, kN1}, {kN1, kN0}), placement(kA, {kN1, kN0}, {kN2, kN1}),
                         placement(kB, {kN0, kN1}, {kN2, kN0})};
  for (const auto& placements : {plan, without_origins(plan)}) {
    Trial trial(four_nodes("n2|n1", "n0|n2"));
    const Judgement judgement = judge(trial, placements, {});
    CHECK(judgement.is_good());
    CHECK(judgement.placements[0].verdict == Verdict::Pointless);
    CHECK(judgement.placements[1].verdict == Verdict::Pointless);
    CHECK(judgement.placements[2].verdict == Verdict::Ok);
    REQUIRE(judgement.steps.size() == 1);
    CHECK(judgement.steps[0].move == Move{MoveKind::Failover, NodeIndex::none()});
  }
  Trial trial(four_nodes("n2|n1"));
  CHECK(judge(trial, plan, {}).placements[0].expected() == Placement{kN0, kN1});
}

TEST_CASE("a plan that stopped anywhere goes on to its end, from its document and from its text") {
  std::int64_t half_done = 0;
  for_each_seed(71, 2000, [&](Random& random) {
    ClusterShape shape{.nodes = random.between(3, 7), .instances = random.between(2, 14)};
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
    const Cluster start = random_cluster(random, shape);
    const GroupMembers members = members_of(start, GroupIndex(0));
    Trial planned(start);
    const std::vector<BalanceStep> steps = random_plan(random, planned, members);
    if (steps.empty()) return;
    const std::vector<ResolvedPlacement> document = document_of(steps), text = without_origins(document);
    const auto done = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(steps.size())));
    Trial stopped(start);
    for (std::size_t s = 0; s < done; ++s) stopped.apply(steps[s].instance, steps[s].move);
    // The next steps, up to the second one of an instance, may have been begun side by side.
    std::vector<InstanceIndex> begun;
    for (std::size_t s = done; s < steps.size() && !htools::testing::contains(begun, steps[s].instance); ++s) {
      const std::size_t actions = facts(steps[s].move.kind).action_count;
      const auto made = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(actions)));
      make_part(stopped, steps[s], made);
      half_done += made > 0 && made < actions ? 1 : 0;
      begun.push_back(steps[s].instance);
    }
    for (const auto* placements : {&document, &text}) {
      CAPTURE((placements == &text));
      const RestOfProposal rest = rest_of(stopped.cluster(), *placements);
      CHECK(rest.stale == 0);
      CHECK(rest.strays.empty());
      CHECK(rest.done + rest.right == steps.size());
      std::vector<Placement> reached = places_in(stopped.cluster());
      for (const WantedPlacement& w : rest.wanted) reached[w.instance.position()] = w.placement;
      CHECK((reached == places_in(planned.cluster())));
      Trial judged(stopped.cluster());
      const Judgement judgement = judge(judged, *placements, {});
      const auto is_refused = [](const JudgedPlacement& p) { return p.verdict == Verdict::Refused; };
      if (std::ranges::any_of(judgement.placements, is_refused)) continue;
      CHECK(judgement.is_good());
      CHECK((places_in(judged.cluster()) == places_in(planned.cluster())));
    }
  });
  if (htools::testing::only_seed() == nullptr) CHECK(half_done > htools::testing::scaled_tally(400));
}

}  // namespace htools::progress_test
