#include "plan/paths.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "rules/move_application.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::paths_test {

namespace {

using htools::Cluster;
using htools::Instance;
using htools::InstanceIndex;
using htools::Move;
using htools::MoveEffect;
using htools::MoveRules;
using htools::NodeIndex;
using htools::Placement;
using htools::Trial;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

constexpr InstanceIndex kOnly{0};

// Returns a cluster with one DRBD instance, whose nodes have room for anything, some of them offline, and migration
// tags.
Cluster lonely_instance(Random& random) {
  std::string text = "g|u|preferred||\n\n";
  for (int n = 0; n < 5; ++n) {
    const char* role = random.chance(20) ? "Y" : "N";
    const char* tag = random.chance(50) ? "hv:4" : random.chance(60) ? "hv:5" : "";
    text += "n" + std::to_string(n) + "|65536|0|65536|102400|102400|8|" + role + "|u|1|" + tag + "\n";
  }
  text += "\na|1024|1024|1|running|Y|n0|n1|drbd||1\n\nhtools:migration:hv\nhtools:allowmigration:hv:4::hv:5\n\n";
  Cluster cluster = htools::read_text_cluster(text, "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

// Returns the moves towards the placement that the rules allow, and after which they allow what is left.
std::vector<Move> literally_possible(Trial& trial, const Placement& to, const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  std::vector<Move> possible;
  for (const Move& move : moves_towards(placement_of(cluster.instance(kOnly)), to)) {
    if (!move_kinds(cluster, cluster.instance(kOnly), rules).have(move)) continue;
    if (!move.target.is_none() && cluster.node(move.target).offline) continue;
    if (!std::holds_alternative<MoveEffect>(htools::MoveTrials(cluster, kOnly, rules.force).attempt(move))) continue;
    const htools::Attempt attempt(trial);
    trial.apply(kOnly, move);
    const bool is_there = placement_of(cluster.instance(kOnly)) == to;
    if (is_there || !literally_possible(trial, to, rules).empty()) possible.push_back(move);
  }
  return possible;
}

}  // namespace

TEST_CASE("moves are possible if the rules allow them, and what has to follow, on empty nodes") {
  Random random(41);
  int all = 0, some = 0, none = 0;
  for (int round = 0; round < scaled(400); ++round) {
    const Cluster cluster = lonely_instance(random);
    MoveRules rules;
    rules.disk_moves = random.chance(90);
    rules.instance_moves = random.chance(90);
    rules.restricted_migration = random.chance(20);
    for (std::size_t primary = 0; primary < 5; ++primary) {
      for (std::size_t secondary = 0; secondary < 5; ++secondary) {
        if (primary == secondary) continue;
        const Placement to{NodeIndex(primary), NodeIndex(secondary)};
        Trial trial(cluster);
        const Instance& instance = cluster.instance(kOnly);
        const Placement from = placement_of(instance);
        const std::vector<Move> possible = possible_moves_towards(cluster, *instance.facts, from, to, rules);
        CAPTURE(round);
        REQUIRE(possible == literally_possible(trial, to, rules));
        const std::size_t directions = moves_towards(from, to).size();
        ++(possible.empty() ? none : possible.size() < directions ? some : all);
      }
    }
  }
  CHECK(all > scaled_tally(100));
  CHECK(some > scaled_tally(300));
  CHECK(none > scaled_tally(100));
}

}  // namespace htools::paths_test
