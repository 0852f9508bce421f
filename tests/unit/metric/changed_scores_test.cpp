#include "metric/changed_scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::changed_scores_test {

namespace {

using htools::ChangedScores;
using htools::Cluster;
using htools::ComponentValues;
using htools::Instance;
using htools::kComponentCount;
using htools::Node;
using htools::NodeRefs;
using htools::NodeValueTable;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
using Candidate = ChangedScores::Candidate;

std::vector<double> exact(const ChangedScores& scores, const std::vector<Candidate>& candidates) {
  std::vector<const Candidate*> pointers;
  for (const Candidate& candidate : candidates) pointers.push_back(&candidate);
  return scores.exact(pointers);
}

Instance random_instance(Random& random) {
  Instance instance;
  instance.facts.edit().memory = random.between(0, 3000);
  instance.facts.edit().disk = random.between(0, 3000);
  instance.facts.edit().vcpus = random.between(0, 4);
  instance.facts.edit().disks = {{instance.facts->disk, random.between(0, 2)}};
  instance.facts.edit().disk_template = random.chance(60) ? htools::DiskTemplate::Drbd : htools::DiskTemplate::Rbd;
  instance.facts.edit().spindle_use = random.between(0, 3);
  instance.facts.edit().forthcoming = random.chance(15);
  instance.location_score = random.between(0, 2);
  if (random.chance(30)) instance.facts.edit().set_exclusion_tags({"svc:a"});
  if (random.chance(50))
    instance.facts.edit().utilisation = {random.fraction(), random.fraction(), 0.0, random.fraction()};
  return instance;
}

void change(Random& random, Node& node, const Instance& instance, std::size_t nodes) {
  if (random.chance(60)) {
    htools::add_primary(node, htools::InstanceIndex(99), instance);
  } else if (random.chance(60)) {
    htools::add_secondary(node, htools::InstanceIndex(99), instance, htools::NodeIndex(random.index(nodes)));
  } else {
    htools::remove_primary(node, htools::InstanceIndex(99), instance);
  }
}

// Returns a value of one of five kinds that stress the arithmetic; `kind` is from 0 to 4.
double random_value(Random& random, std::int64_t kind) {
  const double sign = random.chance(20) ? -1.0 : 1.0;
  switch (kind) {
    case 0:
      return random.fraction();
    case 1:
      return static_cast<double>(random.between(0, 3));  // many ties
    case 2:
      return 0.1 + static_cast<double>(random.between(0, 2)) * 1e-17;  // equal values, whose sums are rounded
    case 3:
      return 0.7 + random.fraction() * 1e-12;  // nearly balanced
    default:
      return sign * std::pow(10.0, static_cast<double>(random.between(-12, 12))) * random.fraction();
  }
}

ComponentValues random_values(Random& random, std::int64_t kind) {
  ComponentValues values;
  for (std::size_t k = 0; k < kComponentCount; ++k) values[k] = random_value(random, kind);
  values[4] = static_cast<double>(random.between(0, 9));  // numbers of instances are whole
  values[5] = static_cast<double>(random.between(0, 9));
  values[18] = 0.0;
  return values;
}

// A set of online and offline nodes with arbitrary values.
struct ValueSet {
  std::vector<Node> nodes;
  ChangedScores scores;
  NodeValueTable table;

  ValueSet(Random& random, std::size_t size, std::int64_t kind, std::int64_t offline)
      : nodes(make_nodes(random, size, offline)), scores(htools::all_nodes(nodes)), table(htools::all_nodes(nodes)) {
    for (std::size_t n = 0; n < size; ++n) {
      const ComponentValues values = random_values(random, kind);
      const double collisions = static_cast<double>(random.between(0, 3));
      scores.apply({{{n, values}}, collisions});
      table.set(n, values);
      table.set_pair_collisions(collisions);
    }
  }
  double expected(const Candidate& candidate) const {
    NodeValueTable changed = table;
    for (const auto& change : candidate.changes) changed.set(change.position, change.values);
    changed.set_pair_collisions(candidate.pair_collisions);
    return Statistics::evaluate(changed).score();
  }

 private:
  static std::vector<Node> make_nodes(Random& random, std::size_t size, std::int64_t offline) {
    std::vector<Node> nodes(size);
    for (Node& node : nodes) {
      node.facts.edit().total_memory = node.facts.edit().total_cpus = node.facts.edit().max_instance_spindles = 1.0;
      node.offline = random.chance(offline);
    }
    return nodes;
  }
};

}  // namespace

TEST_CASE("exact scores are those of the evaluated changed set, to the last bit") {
  Random random(11);
  for (int round = 0; round < scaled(600); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.nodes = random.between(1, 24);
    shape.no_spindles = random.chance(10) ? 10 : 0;
    Cluster cluster = htools::testing::random_cluster(random, shape);
    ChangedScores scores(htools::all_nodes(cluster.nodes));
    REQUIRE(scores.pair_collisions() == htools::pair_collisions(htools::all_nodes(cluster.nodes)));
    for (int step = 0; step < 3; ++step) {
      const Instance instance = random_instance(random);
      const bool same_for_all = random.chance(70);
      std::vector<Candidate> candidates;
      std::vector<double> expected;
      std::optional<std::pair<std::size_t, Node>> one;
      for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
        if (random.chance(20)) continue;
        std::vector<Node> nodes = cluster.nodes;
        change(random, nodes[n], same_for_all ? instance : random_instance(random), nodes.size());
        const NodeRefs changed = htools::all_nodes(nodes);
        candidates.push_back({{{n, htools::node_values(nodes[n])}}, htools::pair_collisions(changed)});
        expected.push_back(Statistics::evaluate(changed).score());
        if (!one || random.chance(30)) one = {n, nodes[n]};
      }
      const std::vector<double> found = exact(scores, candidates);
      REQUIRE(found.size() == expected.size());
      for (std::size_t c = 0; c < found.size(); ++c) {
        CAPTURE(round);
        CAPTURE(c);
        REQUIRE(same_score(found[c], expected[c]));
        if (scores.is_finite(candidates[c])) {
          REQUIRE(std::isfinite(expected[c]));
          const auto bounds = scores.bounds(candidates[c]);
          REQUIRE(bounds.low <= expected[c]);
          REQUIRE(bounds.high >= expected[c]);
        }
      }
      if (!one) continue;
      cluster.nodes[one->first] = one->second;
      const NodeRefs nodes = htools::all_nodes(cluster.nodes);
      scores.apply({{{one->first, htools::node_values(one->second)}}, htools::pair_collisions(nodes)});
    }
  }
}

// Returns `first` and up to two other nodes.
std::vector<std::size_t> some_nodes(Random& random, std::size_t first, std::size_t size) {
  std::vector<std::size_t> nodes{first};
  for (std::int64_t more = random.between(0, 2); more > 0; --more) {
    const std::size_t other = random.index(size);
    if (std::find(nodes.begin(), nodes.end(), other) == nodes.end()) nodes.push_back(other);
  }
  return nodes;
}

TEST_CASE("exact scores of many candidates at once, with many ties") {
  Random random(12);
  for (std::int64_t kind = 0; kind < 5; ++kind) {
    for (int round = 0; round < 60; ++round) {
      const auto size = static_cast<std::size_t>(random.between(1, 60));
      ValueSet set(random, size, kind, round % 3 == 0 ? 25 : 0);
      std::vector<Candidate> candidates;
      const ComponentValues shared = random_values(random, kind);
      for (std::size_t n = 0; n < size; ++n) {
        Candidate candidate{{}, set.scores.pair_collisions()};
        for (std::size_t changed : some_nodes(random, n, size)) {
          candidate.changes.push_back({changed, random.chance(30) ? random_values(random, kind) : shared});
        }
        candidates.push_back(candidate);
      }
      const std::vector<double> found = exact(set.scores, candidates);
      for (std::size_t c = 0; c < size; ++c) {
        CAPTURE(kind);
        CAPTURE(round);
        CAPTURE(c);
        REQUIRE(same_score(found[c], set.expected(candidates[c])));
      }
    }
  }
}

TEST_CASE("exact scores with one of many values changed at either end") {
  Random random(13);
  ValueSet set(random, 400, 2, 0);
  std::vector<Candidate> candidates;
  for (std::size_t n : {0U, 1U, 15U, 16U, 17U, 200U, 398U, 399U}) {
    ComponentValues values = random_values(random, 2);
    values[0] = 0.1 + 1e-16;
    candidates.push_back({{{n, values}}, 2.0});
  }
  const std::vector<double> found = exact(set.scores, candidates);
  for (std::size_t c = 0; c < candidates.size(); ++c) REQUIRE(same_score(found[c], set.expected(candidates[c])));
  CHECK(exact(set.scores, {}).empty());
}

TEST_CASE("bounds contain the exact score") {
  Random random(14);
  for (int round = 0; round < scaled(30000); ++round) {
    const std::int64_t kind = random.between(0, 4);
    ValueSet set(random, static_cast<std::size_t>(random.between(1, 8)), kind, random.chance(20) ? 30 : 0);
    for (int c = 0; c < 3; ++c) {
      Candidate candidate{{}, static_cast<double>(random.between(0, 3))};
      for (std::size_t n : some_nodes(random, random.index(set.nodes.size()), set.nodes.size())) {
        ComponentValues values = set.table.values(n);
        const std::int64_t changes = random.between(0, 20);
        for (std::int64_t k = 0; k < changes; ++k) {
          const auto component = static_cast<std::size_t>(random.between(0, 19));
          if (component == 4 || component == 5) continue;
          values[component] = random_value(random, random.chance(70) ? kind : random.between(0, 4));
        }
        // Some nodes return to the common value, so that the deviation vanishes.
        if (random.chance(20)) values = set.table.values(random.index(set.nodes.size()));
        candidate.changes.push_back({n, values});
      }
      if (!set.scores.is_finite(candidate)) continue;
      const double expected = set.expected(candidate);
      const auto bounds = set.scores.bounds(candidate);
      CAPTURE(kind);
      CAPTURE(round);
      REQUIRE(bounds.low <= expected);
      REQUIRE(expected <= bounds.high);
    }
  }
}

TEST_CASE("bounds are narrow enough to tell ordinary scores apart") {
  Random random(15);
  for (int round = 0; round < scaled(200); ++round) {
    ValueSet set(random, 20, 0, 0);
    const auto bounds = set.scores.bounds({{{random.index(20), random_values(random, 0)}}, 0.0});
    REQUIRE(bounds.high - bounds.low < 1e-9);
  }
}

TEST_CASE("without online nodes all scores are zero") {
  Random random(16);
  ValueSet set(random, 3, 0, 100);
  const std::vector<Candidate> candidates{{{{0, random_values(random, 0)}}, 0.0},
                                          {{{2, random_values(random, 0)}}, 0.0}};
  CHECK(exact(set.scores, candidates) == std::vector<double>{0.0, 0.0});
  CHECK(set.scores.bounds(candidates[0]).low <= 0.0);
  CHECK(set.scores.bounds(candidates[0]).high >= 0.0);
}

TEST_CASE("a score that may be NaN is announced") {
  Random random(17);
  ValueSet set(random, 4, 0, 0);
  Candidate candidate{{{1, random_values(random, 0)}}, 0.0};
  CHECK(set.scores.is_finite(candidate));
  candidate.changes[0].values[12] = std::nan("");
  CHECK_FALSE(set.scores.is_finite(candidate));
  set.scores.apply(candidate);
  CHECK_FALSE(set.scores.is_finite({{{2, random_values(random, 0)}}, 0.0}));
}

TEST_CASE("large values are announced, however little they differ") {
  Random random(18);
  ValueSet set(random, 3, 0, 0);
  const Candidate candidate{{{1, random_values(random, 0)}}, 0.0};
  CHECK(set.scores.is_moderate(candidate));
  ComponentValues large = random_values(random, 0);
  large[0] = 1e101;
  CHECK_FALSE(set.scores.is_moderate({{{1, large}}, 0.0}));
  // Their deviation is 0.
  for (std::size_t n = 0; n < 3; ++n) set.scores.apply({{{n, large}}, 0.0});
  CHECK_FALSE(set.scores.is_moderate(candidate));
}

}  // namespace htools::changed_scores_test
