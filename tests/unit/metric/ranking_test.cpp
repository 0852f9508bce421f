#include "metric/ranking.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::ranking_test {

namespace {

using htools::ChangedScores;
using htools::Cluster;
using htools::Node;
using htools::NodeRefs;
using htools::Ranking;
using htools::sort_by_score;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
namespace literal = htools::testing::literal;
using Candidates = std::vector<ChangedScores::Candidate>;
using Scored = std::pair<double, std::size_t>;
using List = std::vector<Scored>;

const double kNan = std::nan("");

std::vector<std::size_t> order_of(Ranking ranking) {
  std::vector<std::size_t> order;
  while (const auto next = ranking.next()) order.push_back(*next);
  CHECK_FALSE(ranking.next());
  return order;
}

std::vector<std::size_t> numbers(const List& list) {
  std::vector<std::size_t> result;
  for (const Scored& scored : list) result.push_back(scored.second);
  return result;
}

List literally_sorted(const List& list) {
  return literal::sort_by_score<Scored>(list, [](const Scored& s) { return s.first; });
}

// The candidates for an instance, and their scores.
struct Offer {
  Candidates candidates;
  std::vector<double> scores;
};
Offer offer(const Cluster& cluster, const htools::Instance& instance, const std::vector<std::size_t>& takers) {
  Offer result;
  for (std::size_t n : takers) {
    std::vector<Node> nodes = cluster.nodes;
    htools::add_primary(nodes[n], htools::InstanceIndex(99), instance);
    const NodeRefs changed = htools::all_nodes(nodes);
    result.candidates.push_back({{{n, htools::node_values(nodes[n])}}, htools::pair_collisions(changed)});
    result.scores.push_back(Statistics::evaluate(changed).score());
  }
  return result;
}

}  // namespace

TEST_CASE("lowest score first, equal scores: highest position first") {
  Random random(21);
  for (int round = 0; round < scaled(1000); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.nodes = random.between(1, 30);
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    htools::Instance instance;
    instance.facts.edit().memory = random.between(0, 2000);
    instance.facts.edit().vcpus = random.between(1, 3);
    if (random.chance(30)) instance.facts.edit().set_exclusion_tags({"svc:a"});
    std::vector<std::size_t> takers;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(80)) takers.push_back(n);
    }
    const Offer all = offer(cluster, instance, takers);
    std::vector<std::size_t> expected;
    for (std::size_t c = 0; c < takers.size(); ++c) expected.push_back(c);
    std::sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
      return all.scores[a] != all.scores[b] ? all.scores[a] < all.scores[b] : a > b;
    });
    const ChangedScores scores(htools::all_nodes(cluster.nodes));
    CAPTURE(round);
    REQUIRE(order_of(Ranking(scores, all.candidates)) == expected);
  }
}

TEST_CASE("an interrupted ranking tells the same beginning") {
  Random random(22);
  htools::testing::ClusterShape shape;
  shape.nodes = 20;
  const Cluster cluster = htools::testing::random_cluster(random, shape);
  std::vector<std::size_t> takers;
  for (std::size_t n = 0; n < 20; ++n) takers.push_back(n);
  const Offer all = offer(cluster, {}, takers);
  const ChangedScores scores(htools::all_nodes(cluster.nodes));
  const auto order = order_of(Ranking(scores, all.candidates));
  Ranking ranking(scores, all.candidates);
  for (std::size_t c = 0; c < 5; ++c) CHECK(ranking.next() == order[c]);
  CHECK_FALSE(Ranking(scores, {}).next());
}

TEST_CASE("rankings with scores that are not numbers follow the specified sort") {
  Random random(23);
  for (int round = 0; round < scaled(1500); ++round) {
    htools::testing::ClusterShape shape;
    shape.nodes = random.between(1, 14);
    shape.mix = static_cast<htools::testing::NodeMix>(random.between(0, 2));
    Cluster cluster = htools::testing::random_cluster(random, shape);
    const std::size_t odd = random.index(cluster.nodes.size());
    cluster.nodes[odd].facts.edit().max_instance_spindles = 0.0;
    if (random.chance(30)) cluster.nodes[random.index(cluster.nodes.size())].facts.edit().max_instance_spindles = 0.0;
    const ChangedScores scores(htools::all_nodes(cluster.nodes));
    Candidates candidates;
    List newest_first;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      auto values = htools::node_values(cluster.nodes[n]);
      values[7] += random.fraction();
      // The odd node may become an ordinary one.
      if (random.chance(50)) values[12] = values[16] = 0.0;
      htools::NodeValueTable table(htools::all_nodes(cluster.nodes));
      table.set(n, values);
      newest_first.insert(newest_first.begin(), {Statistics::evaluate(table).score(), n});
      candidates.push_back({{{n, values}}, scores.pair_collisions()});
    }
    CAPTURE(round);
    REQUIRE(order_of(Ranking(scores, candidates)) == numbers(literally_sorted(newest_first)));
  }
}

TEST_CASE("sort_by_score keeps the order of equal scores") {
  List list{{2.0, 0}, {1.0, 1}, {2.0, 2}, {1.0, 3}, {-1.0, 4}, {1.0, 5}};
  sort_by_score(list);
  CHECK(numbers(list) == std::vector<std::size_t>{4, 1, 3, 5, 0, 2});
  List empty, single{{kNan, 7}};
  sort_by_score(empty);
  sort_by_score(single);
  CHECK(empty.empty());
  CHECK(numbers(single) == std::vector<std::size_t>{7});
}

TEST_CASE("sort_by_score reverses a list of NaN") {
  List list{{kNan, 4}, {kNan, 3}, {kNan, 2}, {kNan, 1}, {kNan, 0}};
  sort_by_score(list);
  CHECK(numbers(list) == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("sort_by_score of mixed lists by hand") {
  // The runs are 1 2, and NaN 1, which is descending because NaN counts as greater than 1.
  List list{{1.0, 0}, {2.0, 1}, {kNan, 2}, {1.0, 3}};
  sort_by_score(list);
  // The second run becomes 1 NaN. The merge takes 1 from the left run, 1 from the right one, and NaN, because 2 counts
  // as greater than NaN.
  CHECK(numbers(list) == std::vector<std::size_t>{0, 3, 2, 1});
}

TEST_CASE("sort_by_score is the specified merge sort, whatever the scores") {
  Random random(24);
  for (int round = 0; round < scaled(8000); ++round) {
    List list;
    const std::int64_t size = random.between(0, 40), nans = random.between(0, 60), values = random.between(1, 30);
    for (std::int64_t i = 0; i < size; ++i) {
      double score = static_cast<double>(random.between(0, values));
      if (random.chance(nans)) score = kNan;
      if (random.chance(3)) score = std::numeric_limits<double>::infinity();
      list.emplace_back(score, static_cast<std::size_t>(i));
    }
    const List expected = literally_sorted(list);
    if (nans == 0) {
      List stable = list;
      std::stable_sort(stable.begin(), stable.end(),
                       [](const Scored& a, const Scored& b) { return a.first < b.first; });
      REQUIRE(numbers(expected) == numbers(stable));
    }
    sort_by_score(list);
    REQUIRE(numbers(list) == numbers(expected));
    for (std::size_t i = 0; i < list.size(); ++i) REQUIRE(same_score(list[i].first, expected[i].first));
  }
}

}  // namespace htools::ranking_test
