#include "trial/followed_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/members.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/node_watch.h"

namespace htools::followed_scores_test {

namespace {

using htools::Attempt;
using htools::Cluster;
using htools::FollowedScores;
using htools::Instance;
using htools::InstanceIndex;
using htools::Move;
using htools::NodeIndex;
using htools::NodeWatch;
using htools::ScoredNodes;
using htools::Trial;
using htools::testing::Random;
using htools::testing::random_cluster;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// Makes a random move, whether or not it is allowed, or switches a node on or off.
void change_at_random(Random& random, Trial& trial) {
  const Cluster& cluster = trial.cluster();
  if (random.chance(10)) {
    htools::Node& node = trial.change(NodeIndex(random.index(cluster.nodes.size())));
    node.offline = !node.offline;
    return;
  }
  const InstanceIndex i(random.index(cluster.instances.size()));
  const Instance& instance = cluster.instance(i);
  if (instance.facts->has_secondary() && instance.secondary.is_none()) return;
  const std::vector<Move> moves = generate_moves(cluster, htools::all_members(cluster), instance, {});
  if (!moves.empty()) trial.apply(i, random.one_of(moves));
}

}  // namespace

TEST_CASE("followed scores are those of the present state, and a watch names all nodes that have changed") {
  Random random(171);
  int kept = 0, undone = 0;
  for (int round = 0; round < scaled(1000); ++round) {
    CAPTURE(round);
    Trial trial(random_cluster(random, {}));
    const Cluster& cluster = trial.cluster();
    if (cluster.instances.empty()) continue;
    std::vector<NodeIndex> nodes;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(80)) nodes.emplace_back(n);
    }
    FollowedScores followed(trial, nodes);
    NodeWatch watch(trial, nodes);
    const auto compare = [&] {
      const ScoredNodes fresh(cluster, nodes);
      const ScoredNodes& scores = followed.current();
      REQUIRE(same_score(scores.scores().statistics().score(), fresh.scores().statistics().score()));
      REQUIRE(scores.scores().pair_collisions() == fresh.scores().pair_collisions());
      for (NodeIndex n : nodes) REQUIRE(scores.is_online(n) == !cluster.node(n).offline);
    };
    compare();
    std::vector<htools::NodeBooks> seen;
    for (int step = 0; step < 8; ++step) {
      std::optional<Attempt> attempt(std::in_place, trial);
      for (std::int64_t changes = random.between(0, 3); changes > 0; --changes) change_at_random(random, trial);
      if (random.chance(70)) compare();
      if (random.chance(50)) {
        attempt->keep();
        ++kept;
      } else {
        ++undone;
      }
      attempt.reset();
      if (random.chance(70)) compare();

      const auto changed = watch.changed();
      for (std::size_t n = 0; n < nodes.size() && !seen.empty(); ++n) {
        const bool named = std::find(changed.begin(), changed.end(), nodes[n]) != changed.end();
        const htools::NodeBooks& books = cluster.node(nodes[n]).books;
        const bool differs = books.primary_count != seen[n].primary_count ||
                             books.secondary_count != seen[n].secondary_count ||
                             books.instance_memory != seen[n].instance_memory;
        REQUIRE((named || !differs));
      }
      seen.clear();
      for (NodeIndex n : nodes) seen.push_back(cluster.node(n).books);
    }
  }
  CHECK(kept > scaled_tally(1000));
  CHECK(undone > scaled_tally(1000));
}

}  // namespace htools::followed_scores_test
