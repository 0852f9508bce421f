#include "trial/trial.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/bookkeeping.h"
#include "cluster/members.h"
#include "rules/move_application.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::trial_test {

namespace {

using htools::Attempt;
using htools::Cluster;
using htools::GroupMembers;
using htools::Instance;
using htools::InstanceIndex;
using htools::Move;
using htools::NodeIndex;
using htools::Trial;
using htools::testing::difference;
using htools::testing::Random;
using htools::testing::random_cluster;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// Applies one of the moves of a random instance, whether or not it is allowed.
void move_at_random(Random& random, Trial& trial) {
  const Cluster& cluster = trial.cluster();
  const InstanceIndex i(random.index(cluster.instances.size()));
  const Instance& instance = cluster.instance(i);
  if (instance.facts->has_secondary() && instance.secondary.is_none()) return;
  const GroupMembers members = htools::all_members(cluster);
  const std::vector<Move> moves = generate_moves(cluster, members, instance, {});
  if (!moves.empty()) trial.apply(i, random.one_of(moves));
}

// Adds a new instance on a random node.
void add_at_random(Random& random, Trial& trial) {
  Instance instance;
  instance.facts.edit().name = instance.facts.edit().alias = "new";
  instance.facts.edit().memory = random.between(1, 500);
  instance.facts.edit().disk = random.between(1, 500);
  instance.facts.edit().disk_template = htools::DiskTemplate::Ext;
  instance.primary = NodeIndex(random.index(trial.cluster().nodes.size()));
  add_primary(trial.change(instance.primary), InstanceIndex(trial.cluster().instances.size()), instance);
  trial.add(instance);
}

}  // namespace

TEST_CASE("any sequence of changes, undone, gives equal bits") {
  Random random(170);
  int changed = 0, nested = 0;
  for (int round = 0; round < scaled(2000); ++round) {
    CAPTURE(round);
    const Cluster start = random_cluster(random, htools::testing::random_shape(random));
    if (start.instances.empty()) continue;
    Trial trial(start);
    std::vector<Cluster> copies;
    for (int step = 0; step < 25; ++step) {
      const std::int64_t what = random.between(1, 10);
      if (what <= 2) {
        copies.push_back(trial.cluster());
        trial.begin();
      } else if (what == 3 && !copies.empty()) {
        copies.pop_back();
        trial.keep();
      } else if (what == 4 && !copies.empty()) {
        changed += difference(trial.cluster(), copies.back()) != "";
        nested += copies.size() > 1;
        trial.undo();
        REQUIRE(difference(trial.cluster(), copies.back()) == "");
        copies.pop_back();
      } else if (what == 5) {
        add_at_random(random, trial);
      } else {
        move_at_random(random, trial);
      }
    }
    while (!copies.empty()) {
      trial.undo();
      REQUIRE(difference(trial.cluster(), copies.back()) == "");
      copies.pop_back();
    }
  }
  CHECK(changed > scaled_tally(500));
  CHECK(nested > scaled_tally(500));
}

TEST_CASE("an attempt is undone at the end of its life, unless it is kept") {
  Random random(171);
  const Cluster start = random_cluster(random, htools::testing::random_shape(random));
  Trial trial(start);
  {
    const Attempt attempt(trial);
    trial.change(NodeIndex(0)).books.tag_conflicts += 1;
  }
  CHECK(difference(trial.cluster(), start) == "");
  {
    Attempt attempt(trial);
    trial.change(NodeIndex(0)).books.tag_conflicts += 1;
    attempt.keep();
  }
  CHECK(trial.cluster().nodes[0].books.tag_conflicts == start.nodes[0].books.tag_conflicts + 1);
}

}  // namespace htools::trial_test
