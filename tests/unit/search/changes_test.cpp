#include "search/changes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "cluster/members.h"
#include "search/model.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::changes_test {

namespace {

using htools::ChangeDrawer;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Draws;
using htools::GroupIndex;
using htools::kNoSlot;
using htools::MoveRules;
using htools::PlacementChange;
using htools::PlacementModel;
using htools::PlacementState;
using htools::Relocation;
using htools::Slot;
using htools::SlotPair;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

bool is_role_exchange(SlotPair a, SlotPair b) {
  return a.secondary != kNoSlot && a.primary == b.secondary && a.secondary == b.primary;
}

// Brings some instances to other nodes, whatever the limits say.
void disperse(PlacementState& state, Random& random, std::size_t count) {
  const PlacementModel& model = state.model();
  for (std::size_t c = 0; c < count && model.online().size() > 2; ++c) {
    const auto i = static_cast<Slot>(random.index(model.instances().size()));
    SlotPair to = state.at(i);
    to.primary = random.one_of(model.online());
    if (to.primary != to.secondary) state.force({i, to});
  }
}

// Returns how many of the changes that are drawn only exchange the roles of one instance's nodes.
int role_exchanges(const PlacementState& state, bool saves_copies) {
  Draws draws(7);
  ChangeDrawer drawer(state, 1000, saves_copies, draws);
  int count = 0;
  for (int d = 0; d < 2000; ++d) {
    const PlacementChange change = drawer.draw();
    const auto relocations = change.relocations();
    count += relocations.size() == 1 && is_role_exchange(state.at(relocations[0].instance), relocations[0].to) ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("changes are relocations of different instances to pairs of nodes") {
  Random random(171);
  int singles = 0, pairs = 0, full = 0, tried = 0;
  for (int round = 0; round < scaled(150); ++round) {
    CAPTURE(round);
    ClusterShape shape = htools::testing::random_shape(random);
    shape.nodes = random.between(2, 9);
    shape.instances = random.between(2, 40);
    shape.groups = 1;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), MoveRules{});
    if (!model.is_useful()) continue;
    ++tried;
    PlacementState state(model);
    disperse(state, random, random.index(6));
    const std::int64_t max_moves = random.chance(50) ? state.price().moves : state.price().moves + 3;
    Draws draws(static_cast<std::uint64_t>(round));
    ChangeDrawer drawer(state, max_moves, random.chance(50), draws);
    for (int d = 0; d < 200; ++d) {
      const PlacementChange change = drawer.draw();
      drawer.note(random.chance(20));
      const auto relocations = change.relocations();
      REQUIRE(!relocations.empty());
      (relocations.size() == 1 ? singles : pairs)++;
      if (relocations.size() == 2) REQUIRE(relocations[0].instance != relocations[1].instance);
      for (const Relocation& r : relocations) {
        REQUIRE(r.instance < model.instances().size());
        REQUIRE(r.to.primary < model.nodes().size());
        REQUIRE((r.to.secondary != kNoSlot) == model.instances()[r.instance].has_secondary);
        REQUIRE(r.to.primary != r.to.secondary);
        REQUIRE((r.to.secondary == kNoSlot || r.to.secondary < model.nodes().size()));
      }
      // If no more moves are left, an instance leaves its home only together with a mover.
      if (max_moves > state.price().moves || state.moved().empty()) continue;
      ++full;
      REQUIRE(std::ranges::any_of(relocations, [&](const Relocation& r) {
        return state.at(r.instance) != model.instances()[r.instance].home;
      }));
    }
  }
  CHECK(tried > scaled_tally(100));
  CHECK(singles > scaled_tally(1000));
  CHECK(pairs > scaled_tally(1000));
  CHECK(full > scaled_tally(1000));
}

TEST_CASE("walks that save copies exchange roles more often, which copies nothing") {
  Random random(172);
  ClusterShape shape;
  shape.nodes = 8;
  shape.instances = 40;
  shape.templates = {DiskTemplate::Drbd};
  int compared = 0;
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), MoveRules{});
    if (!model.is_useful() || model.instances().size() < 5) continue;
    ++compared;
    const PlacementState state(model);
    CHECK(role_exchanges(state, true) > role_exchanges(state, false));
  }
  CHECK(compared > 3);
}

}  // namespace htools::changes_test
