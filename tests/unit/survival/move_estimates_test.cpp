#include "survival/move_estimates.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "rules/admission.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/scored_nodes.h"

namespace htools::move_estimates_test {

namespace {

using htools::Attempt;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Instance;
using htools::InstanceIndex;
using htools::Load;
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

// Both targets fail N+1 with what comes, which adds their many instances to a score that was small. Their loads are
// nearly equal.
TEST_CASE("a target is clear only beyond the rounding errors of the score that a move leads to") {
  std::string text =
      "g|u|preferred|\n\n"
      "a|10000|0|10000|9000|9000|1000|N|u|1\nb|10000|0|10000|9000|9000|1000|N|u|1\n"
      "primary|40000|0|20002|9000|9000|1000|N|u|1\nsource|10000|0|9999|9000|9000|1000|N|u|1\n\n"
      "moved|1|0|1|running|Y|source||rbd|\n"
      "peer-a|9999|0|1|running|Y|primary|a|drbd|\npeer-b|9999|0|1|running|Y|primary|b|drbd|\n";
  for (int i = 0; i < 20000; ++i) {
    for (const char* node : {"a", "b"}) text += fmt::format("{0}{1}|0|0|1|running|Y|{0}||rbd|\n", node, i);
  }
  Cluster cluster = htools::read_text_cluster(text + "\n", "x.data");
  htools::PrepareOptions without_loads;
  without_loads.ignore_utilisation = true;
  htools::prepare(cluster, without_loads);
  Instance& moved = cluster.instances[0];
  constexpr Load kHalf{0.5, 0.5, 0.5, 0.5};
  moved.facts.edit().utilisation = kHalf;
  const std::vector<NodeIndex> nodes{NodeIndex(0), NodeIndex(1), NodeIndex(2), NodeIndex(3)},
      targets{nodes[0], nodes[1]};
  const NodeIndex source = nodes[3];
  cluster.node(source).books.load = kHalf;

  Trial trial(cluster);
  MoveEstimates estimates(trial, nodes);
  Random random(2811);
  int clear = 0, unclear = 0;
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const double small = random.chance(80) ? 1e-13 : 1e-9;
    Load& a = trial.change(targets[0]).books.load;
    Load& b = trial.change(targets[1]).books.load;
    for (double Load::*load : {&Load::cpu, &Load::memory, &Load::disk, &Load::network}) {
      a.*load = static_cast<double>(random.between(1, 1000)) / 1000;
      b.*load = a.*load + static_cast<double>(random.between(-200, 200)) * small;
    }
    REQUIRE(estimates.start(ScoredNodes(trial.cluster(), nodes).scores().statistics()));
    estimates.bar(nodes[2]);
    estimates.bar(source);
    const Attempt attempt(trial);
    remove_primary(trial.change(source), InstanceIndex(0), moved);
    const auto load = MoveEstimates::Load::of(moved);
    estimates.leave(source, *load);
    NodeIndex found;
    const bool is_clear = estimates.find_best_target(*load, found);
    estimates.finish();
    if (is_clear) REQUIRE(found == best_of(trial.cluster(), nodes, targets, moved));
    ++(is_clear ? clear : unclear);
  }
  CHECK(clear > 100);
  CHECK(unclear > 1000);
}

// Without the instance, all nodes have nearly the same free memory. Its memory changes that by far more than the series
// for the root of a variance can follow, which would take the fuller node for the better one.
TEST_CASE("a large move on nodes that are nearly equal goes to the emptier one") {
  for (const bool a_is_emptier : {false, true}) {
    CAPTURE(a_is_emptier);
    const std::string more = "|10000|4999|5001|9000|9000|1000|N|u|1\n",
                      less = "|10000|5001|4999|9000|9000|1000|N|u|1\n";
    Cluster cluster = htools::read_text_cluster(
        "g|u|preferred|\n\na" + (a_is_emptier ? more : less) + "b" + (a_is_emptier ? less : more) +
            "source|10000|5000|4000|9000|9000|1000|N|u|1\n\nmoved|1000|0|0|running|Y|source||rbd|\n\n",
        "x.data");
    htools::PrepareOptions without_loads;
    without_loads.ignore_utilisation = true;
    htools::prepare(cluster, without_loads);
    const Instance& moved = cluster.instances[0];
    const std::vector<NodeIndex> nodes{NodeIndex(0), NodeIndex(1), NodeIndex(2)};
    Trial trial(cluster);
    MoveEstimates estimates(trial, nodes);
    REQUIRE(estimates.start(ScoredNodes(trial.cluster(), nodes).scores().statistics()));
    estimates.bar(nodes[2]);
    const auto load = MoveEstimates::Load::of(moved);
    REQUIRE(load);
    estimates.leave(nodes[2], *load);
    NodeIndex found;
    REQUIRE(estimates.find_best_target(*load, found));
    CHECK(found == nodes[a_is_emptier ? 0 : 1]);
  }
}

}  // namespace htools::move_estimates_test
