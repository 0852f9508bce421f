#include "allocate/pair_trials.h"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "metric/node_values.h"
#include "placement/failure_counts.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::pair_trials_test {

namespace {

using htools::AdmissionRules;
using htools::Cluster;
using htools::Component;
using htools::ComponentValues;
using htools::DiskTemplate;
using htools::FailCounts;
using htools::Instance;
using htools::Node;
using htools::NodeBooks;
using htools::NodeIndex;
using htools::PairTrials;
using htools::ScoredSecondary;
using htools::Statistics;
using htools::TagPairs;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// Scores one pair from scratch; adds its refusal to `failures` and returns nothing if it is not allowed.
std::optional<double> literal_score(const Cluster& cluster, NodeIndex p, NodeIndex s, const Instance& instance,
                                    AdmissionRules rules, FailCounts& failures) {
  const Node &primary = cluster.node(p), &secondary = cluster.node(s);
  const NodeBooks as_primary = books_with_primary(primary, instance);
  const NodeBooks as_secondary = books_with_secondary(secondary, instance, p);
  auto refusal = refusal_as_primary(cluster, primary, as_primary, instance, rules);
  if (!refusal) refusal = check_secondary(secondary, as_secondary, instance);
  if (refusal) {
    failures[*refusal] += 1;
    return std::nullopt;
  }
  const htools::NodeRefs nodes = htools::all_nodes(cluster.nodes);
  Statistics statistics = Statistics::evaluate(nodes);
  statistics.set_pair_collisions(TagPairs(nodes).collisions_with(primary, instance));
  ComponentValues values = node_values(primary, as_primary);
  if (!instance.facts->forthcoming) {
    values[Component::LocationScore] +=
        static_cast<double>(primary.facts->location_tags.common_with(secondary.facts->location_tags));
  }
  statistics.update(node_values(primary), values, primary.offline);
  statistics.update(node_values(secondary), node_values(secondary, as_secondary), secondary.offline);
  return statistics.score();
}

std::vector<NodeIndex> random_nodes(Random& random, const Cluster& cluster, bool offline) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (random.chance(90) && (offline || !cluster.nodes[n].offline)) nodes.push_back(NodeIndex(n));
  }
  return nodes;
}

}  // namespace

TEST_CASE("counts, the best pair and the order of pairs are those of scoring every pair") {
  Random random(321);
  int found = 0, refused = 0, unbounded = 0;
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    ClusterShape shape = htools::testing::random_shape(random);
    shape.groups = 1;
    shape.nodes = random.between(2, 25);
    shape.instances = random.between(0, shape.nodes);
    shape.narrow = 0;
    if (random.chance(70)) shape.odd = shape.no_spindles = shape.exclusive = 0;
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Plain};
    Cluster cluster = htools::testing::random_facts(random, shape);
    for (auto& group : cluster.groups) group.policy.minmax.clear();
    htools::prepare(cluster, {});
    Instance instance;
    if (!cluster.instances.empty()) {
      instance.facts.edit().set_exclusion_tags(random.one_of(cluster.instances).facts->exclusion_tags());
    }
    instance.facts.edit().memory = random.between(1, 8) * 64;
    instance.facts.edit().disk = random.between(1, 4) * 1024;
    instance.facts.edit().vcpus = 1;
    instance.facts.edit().disk_template = DiskTemplate::Drbd;
    instance.facts.edit().forthcoming = random.chance(10);
    const bool offline = random.chance(20);
    const AdmissionRules rules{.force = random.chance(30)};
    const std::vector<NodeIndex> primaries = random_nodes(random, cluster, offline);
    const std::vector<NodeIndex> secondaries = random_nodes(random, cluster, offline);
    const htools::NodeRefs nodes = htools::all_nodes(cluster.nodes);
    const Statistics statistics = Statistics::evaluate(nodes);
    const TagPairs tag_pairs(nodes);
    PairTrials trials(cluster, statistics, tag_pairs, primaries, secondaries, instance, rules);
    for (std::size_t p = 0; p < primaries.size(); ++p) {
      FailCounts failures, expected_failures;
      std::vector<ScoredSecondary> expected;
      for (NodeIndex s : secondaries) {
        if (s == primaries[p]) continue;
        if (const auto score = literal_score(cluster, primaries[p], s, instance, rules, expected_failures)) {
          expected.push_back({*score, s});
        }
      }
      REQUIRE(trials.count(p, failures) == static_cast<std::int64_t>(expected.size()));
      REQUIRE(failures == expected_failures);
      refused += expected.empty();
      if (expected.empty()) continue;
      const std::vector<ScoredSecondary> ordered = trials.in_order(p);
      REQUIRE(ordered.size() == expected.size());
      bool finite = true;
      const ScoredSecondary* first = &expected.front();
      for (const ScoredSecondary& pair : expected) {
        finite = finite && std::isfinite(pair.score);
        if (pair.score <= first->score) first = &pair;
      }
      const std::optional<ScoredSecondary> best = trials.best(p);
      unbounded += !best;
      if (best) REQUIRE(finite);
      if (!finite) continue;
      REQUIRE(ordered.front().secondary == first->secondary);
      REQUIRE(same_score(ordered.front().score, first->score));
      if (!best) continue;
      REQUIRE(best->secondary == first->secondary);
      REQUIRE(same_score(best->score, first->score));
      ++found;
    }
  }
  CHECK(found > scaled_tally(1000));
  CHECK(refused > scaled_tally(100));
  CHECK(unbounded > scaled_tally(100));
}

}  // namespace htools::pair_trials_test
