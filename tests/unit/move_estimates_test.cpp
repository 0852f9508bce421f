#include "survival/move_estimates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"
#include "rules/admission.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/scored_nodes.h"

namespace {

using htools::Attempt;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Instance;
using htools::InstanceIndex;
using htools::MoveEstimates;
using htools::Node;
using htools::NodeIndex;
using htools::ScoredNodes;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::NodeMix;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// Returns the shape of a cluster with much shared storage.
ClusterShape shared_storage_shape(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, random.chance(40) ? 12 : 60);
  shape.groups = random.chance(80) ? 1 : 2;
  shape.mix = random.one_of(std::vector{NodeMix::Same, NodeMix::TwoKinds, NodeMix::Many});
  shape.instances = shape.nodes * random.between(1, 12);
  if (random.chance(30)) shape.crowded = random.between(0, 60);
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{300, 1500, 4000, 30000});
  shape.templates = {DiskTemplate::Rbd, DiskTemplate::Ext, DiskTemplate::SharedFile, DiskTemplate::Diskless};
  if (random.chance(30)) shape.templates.push_back(DiskTemplate::Drbd);
  if (random.chance(30)) shape.tagged = shape.migration_tagged = random.between(0, 20);
  if (random.chance(10)) shape.exclusive = 2;
  if (random.chance(40)) shape.offline = random.between(5, 30);
  if (random.chance(40)) shape.odd = random.between(0, 30);
  if (random.chance(30)) shape.forthcoming = random.between(0, 20);
  if (random.chance(40)) shape.uneven = random.between(0, 100);
  if (random.chance(10)) shape.second_node = 3;
  if (random.chance(3)) shape.no_spindles = 5;
  return shape;
}

// Returns the nodes that can take the instance when `source` is vacated.
std::vector<NodeIndex> targets_for(const Cluster& cluster, const std::vector<NodeIndex>& nodes, NodeIndex source,
                                   const Instance& instance) {
  std::vector<NodeIndex> targets;
  for (NodeIndex t : nodes) {
    const Node& target = cluster.node(t);
    if (t != source && migration_allowed(cluster.node(source), target) &&
        !check_primary(target, books_with_primary(target, instance), instance, {.force = true})) {
      targets.push_back(t);
    }
  }
  return targets;
}

// Returns the target with the best exact score, for an instance that has left its node.
NodeIndex best_of(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& targets,
                  const Instance& instance) {
  const ScoredNodes scores(cluster, nodes);
  std::vector<ScoredNodes::Candidate> candidates;
  for (NodeIndex t : targets) {
    const Node& target = cluster.node(t);
    candidates.push_back(scores.with_primary(t, books_with_primary(target, instance), instance));
  }
  const auto best = scores.best(candidates);
  return best ? targets[*best] : NodeIndex::none();
}

struct Tally {
  int clear = 0, unclear = 0, nowhere = 0, not_started = 0;
};

// Vacates the node, and checks each target that is clear.
void vacate(Trial& trial, MoveEstimates& estimates, const std::vector<NodeIndex>& nodes, NodeIndex source,
            Tally& tally) {
  const Cluster& cluster = trial.cluster();
  if (!estimates.start(ScoredNodes(cluster, nodes).scores().statistics())) {
    ++tally.not_started;
    return;
  }
  for (NodeIndex t : nodes) {
    if (t == source || !migration_allowed(cluster.node(source), cluster.node(t))) estimates.bar(t);
  }
  const Attempt attempt(trial);
  const std::vector<InstanceIndex> primaries = cluster.node(source).primaries;
  for (auto i = primaries.rbegin(); i != primaries.rend(); ++i) {
    const Instance& instance = cluster.instance(*i);
    const auto load = MoveEstimates::Load::of(instance);
    if (!load) continue;
    remove_primary(trial.change(source), *i, instance);
    estimates.leave(source, *load);
    const std::vector<NodeIndex> targets = targets_for(cluster, nodes, source, instance);
    const NodeIndex best = best_of(cluster, nodes, targets, instance);
    NodeIndex found;
    const bool is_clear = estimates.find_best_target(*load, found);
    CAPTURE(instance.facts->name);
    if (is_clear) REQUIRE(found == best);
    ++(!is_clear ? tally.unclear : best.is_none() ? tally.nowhere : tally.clear);
    if (best.is_none()) break;
    add_primary(trial.change(best), *i, instance);
    estimates.come(best, *load);
  }
  estimates.finish();
}

}  // namespace

TEST_CASE("a target that is clearly the best one has the best exact score") {
  Random random(2311);
  Tally tally;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Trial trial(random_cluster(random, shared_storage_shape(random)));
    const Cluster& cluster = trial.cluster();
    std::vector<NodeIndex> nodes;
    const auto group = cluster.nodes.front().facts->group;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (cluster.nodes[n].facts->group == group) nodes.emplace_back(n);
    }
    MoveEstimates estimates(trial, nodes);
    for (int times = 0; times < 3; ++times) {
      const NodeIndex source = random.one_of(nodes);
      CAPTURE(cluster.node(source).facts->name);
      vacate(trial, estimates, nodes, source, tally);
      // Between evacuations, something changes for good.
      const auto& primaries = cluster.node(source).primaries;
      if (primaries.empty()) continue;
      const InstanceIndex leaving = primaries.back();
      const Instance& instance = cluster.instance(leaving);
      if (!instance.facts->has_secondary()) remove_primary(trial.change(source), leaving, instance);
    }
  }
  CHECK(tally.clear > scaled_tally(5000));
  CHECK(tally.unclear > scaled_tally(100));
  CHECK(tally.nowhere > scaled_tally(500));
  CHECK(tally.not_started > scaled_tally(50));
}
