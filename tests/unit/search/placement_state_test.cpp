#include "search/placement_state.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "search/model.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::placement_state_test {

namespace {

using htools::Cluster;
using htools::GroupMembers;
using htools::InstanceIndex;
using htools::ModelInstance;
using htools::Move;
using htools::MoveRules;
using htools::PlacementModel;
using htools::PlacementState;
using htools::Relocation;
using htools::Slot;
using htools::SlotPair;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// True if the numbers differ by rounding at most.
bool is_near(double a, double b) { return std::abs(a - b) <= 1e-7 * (1.0 + std::abs(a)); }

double score_of(const Cluster& cluster, const GroupMembers& members) {
  return htools::score(member_nodes(cluster, members));
}

// What the walks of the test have seen.
struct Tally {
  int clusters = 0, allowed = 0, refused = 0;
};

// Makes random allowed moves, and compares each with what the state says about it. N+1 flags that no book explains are
// no part of the model, so `start` must have none.
void wander(Random& random, const Cluster& start, const GroupMembers& members, Tally& tally) {
  const MoveRules rules;
  const PlacementModel model(start, members, rules);
  if (!model.is_useful()) return;
  ++tally.clusters;
  PlacementState state(model);
  REQUIRE(is_near(state.score(), score_of(start, members)));
  Trial trial(start);
  for (int step = 0; step < 30; ++step) {
    const auto& mover = model.instances()[random.index(model.instances().size())];
    const std::vector<Move> moves =
        generate_moves(trial.cluster(), members, trial.cluster().instance(mover.index), rules);
    if (moves.empty()) continue;
    const Move move = random.one_of(moves);
    const htools::Placement before = placement_of(trial.cluster().instance(mover.index));
    const std::optional<SlotPair> to = model.slots(placement_after(before, move));
    REQUIRE(to.has_value());
    // Moves that leave offline nodes may break soft rules, which the model does not look for; nor does it know which
    // way a node came to its failure of N+1.
    const auto is_plain = [&](htools::NodeIndex n) {
      if (n.is_none()) return true;
      const Slot slot = model.slots({n, htools::NodeIndex::none()})->primary;
      return !trial.cluster().node(n).offline && !model.nodes()[slot].fails_n1;
    };
    const htools::Placement after = placement_after(before, move);
    if (!is_plain(before.primary) || !is_plain(before.secondary) || !is_plain(after.primary) ||
        !is_plain(after.secondary)) {
      continue;
    }
    const bool is_allowed = std::holds_alternative<htools::MoveEffect>(
        htools::MoveTrials(trial.cluster(), mover.index, false).attempt(move));
    const Relocation relocation{model.slot(mover.index), *to};
    const double expected = state.evaluate({&relocation, 1}, INFINITY);
    // The way from home to a new primary beside the old secondary leads over that secondary; the trial may have come
    // there by another way.
    const bool passes_by = to->secondary == mover.home.secondary && to->primary != mover.home.primary;
    // What the rules refuse at the start, the state refuses as well, if the other nodes of the instance are no reason.
    if (state.moved().empty() && move.kind == htools::MoveKind::FailoverToAny) {
      REQUIRE(is_allowed == (std::isfinite(expected) && model.is_reachable(mover, *to)));
    }
    if (!is_allowed || (passes_by && !std::isfinite(expected))) {
      ++tally.refused;
      continue;
    }
    trial.apply(mover.index, move);
    const double exact = score_of(trial.cluster(), members);
    // What the rules allow, the state allows as well.
    CAPTURE(step);
    REQUIRE(std::isfinite(expected));
    REQUIRE(is_near(expected, exact));
    // The highest score that is asked for decides, however closely the state looks at a change.
    const double little = 1e-6 * (1.0 + std::abs(expected));
    REQUIRE(state.evaluate({&relocation, 1}, expected - little) == INFINITY);
    REQUIRE(state.evaluate({&relocation, 1}, expected + little) == expected);
    state.apply();
    ++tally.allowed;
    REQUIRE(is_near(state.score(), exact));
    if (before == model.placement(mover.home)) REQUIRE(model.is_reachable(mover, *to));
  }
  // All the way back: in the end, everything is as it was.
  for (std::size_t i = 0; i < model.instances().size(); ++i) {
    state.force({static_cast<Slot>(i), model.instances()[i].home});
  }
  // (Except for N+1 flags: those of the start may follow from the free memory that was reported, later ones never do.)
  const bool has_plain_flags = std::all_of(members.nodes.begin(), members.nodes.end(), [&](htools::NodeIndex n) {
    const htools::Node& node = start.node(n);
    return node.books.n1_failed == (node.unallocated_memory() <= node.books.reserved_memory);
  });
  if (has_plain_flags) REQUIRE(is_near(state.score(), score_of(start, members)));
  REQUIRE(state.moved().empty());
  REQUIRE(state.price() == htools::PlacementPrice{});
}

}  // namespace

TEST_CASE("the state of a search has the scores of the metric, and allows what the rules allow") {
  Random random(11);
  Tally tally;
  for (int round = 0; round < scaled(600); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.nodes = random.between(2, 9);
    shape.instances = random.between(2, 40);
    shape.groups = 1;
    shape.no_spindles = 0;
    const Cluster cluster = random_cluster(random, shape);
    wander(random, cluster, members_of(cluster, htools::GroupIndex(0)), tally);
  }
  MESSAGE(tally.clusters, " clusters, ", tally.allowed, " moves allowed, ", tally.refused, " refused");
  CHECK(tally.clusters > scaled_tally(150));
  CHECK(tally.allowed > scaled_tally(1500));
}

TEST_CASE("a primary node is replaced only if the secondary can run the instance meanwhile") {
  // n2 has room for a failover of c, and less or more beyond that.
  const auto score_after_replacement = [](const std::string& memory_of_b, const std::string& free_of_n2,
                                          const std::string& tag_of_b = {}) {
    Cluster cluster = htools::read_text_cluster(
        "g|u|preferred||\n\n"
        "n1|16384|0|12288|102400|101376|8|N|u|1\n"
        "n2|16384|0|" +
            free_of_n2 +
            "|102400|100352|8|N|u|1\n"
            "n3|16384|0|10240|102400|101376|8|N|u|1\n"
            "n4|16384|0|16384|102400|102400|8|N|u|1\n\n"
            "a|4096|1024|1|running|Y|n1|n2|drbd|s:1|1\n"
            "b|" +
            memory_of_b + "|1024|1|running|Y|n2||rbd|" + tag_of_b +
            "|1\n"
            "c|6144|1024|1|running|Y|n3|n2|drbd||1\n\nhtools:iextags:s\n\n",
        "x.data");
    htools::prepare(cluster, {});
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const PlacementModel model(cluster, members, {});
    PlacementState state(model);
    const Relocation relocation{model.slot(InstanceIndex(0)),
                                *model.slots({htools::NodeIndex(3), htools::NodeIndex(1)})};
    return state.evaluate({&relocation, 1}, INFINITY);
  };
  CHECK(std::isfinite(score_after_replacement("4096", "12288")));
  CHECK(score_after_replacement("8192", "8192") == INFINITY);
  CHECK(score_after_replacement("7192", "9192") == INFINITY);
  // Nor do instances run together that have an exclusion tag in common.
  CHECK(std::isfinite(score_after_replacement("4096", "12288", "s:2")));
  CHECK(score_after_replacement("4096", "12288", "s:1") == INFINITY);
}

TEST_CASE("a node becomes secondary only if it has room beside its stopped instances") {
  // s is stopped on n3, where a is to have its secondary node, or goes to n4.
  const auto score = [](const std::string& memory_of_s, bool leaves) {
    Cluster cluster = htools::read_text_cluster(
        "g|u|preferred||\n\n"
        "n1|16384|0|12288|102400|101376|8|N|u|1\n"
        "n2|16384|0|16384|102400|101376|8|N|u|1\n"
        "n3|16384|0|16384|102400|102400|8|N|u|1\n"
        "n4|16384|0|16384|102400|102400|8|N|u|1\n\n"
        "a|4096|1024|1|running|Y|n1|n2|drbd||1\n"
        "s|" +
            memory_of_s + "|1024|1|ADMIN_down|Y|n3||rbd||1\n\n\n",
        "x.data");
    htools::prepare(cluster, {});
    const GroupMembers members = members_of(cluster, htools::GroupIndex(0));
    const PlacementModel model(cluster, members, {});
    PlacementState state(model);
    const Slot n1 = 0, n3 = 2, n4 = 3;
    if (leaves) state.force({model.slot(InstanceIndex(1)), {n4, htools::kNoSlot}});
    const Relocation relocation{model.slot(InstanceIndex(0)), {n1, n3}};
    return state.evaluate({&relocation, 1}, INFINITY);
  };
  CHECK(std::isfinite(score("12287", false)));
  CHECK(score("12288", false) == INFINITY);
  CHECK(std::isfinite(score("12288", true)));
}

}  // namespace htools::placement_state_test
