#include "trial/scored_nodes.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::scored_nodes_test {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Cluster two_nodes() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10000|0|8000|1000|1000|8|N|u|1\n"
      "n2|10000|0|8000|1000|1000|8|N|u|1\n\n"
      "a|2000|10|1|running|Y|n1||ext|\n"
      "b|2000|10|1|running|Y|n2||ext|\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

// Returns the position of the best candidate. In each of them the first node has another share of free memory; that of
// the second node is 0.8.
std::optional<std::size_t> best(const std::vector<double>& shares) {
  const Cluster cluster = two_nodes();
  const std::vector nodes{NodeIndex(0), NodeIndex(1)};
  const ScoredNodes scored(cluster, nodes);
  std::vector<ScoredNodes::Candidate> candidates;
  for (double share : shares) {
    NodeBooks books = cluster.node(nodes[0]).books;
    books.real.memory_ratio = share;
    candidates.push_back(scored.with_primary(nodes[0], books, cluster.instance(InstanceIndex(0))));
  }
  return scored.best(candidates);
}

}  // namespace

TEST_CASE("the best candidate has the lowest score; of equal ones it is the last") {
  CHECK(best({}) == std::nullopt);
  CHECK(best({0.5}) == 0);
  CHECK(best({0.8, 0.5, 0.2}) == 0);
  CHECK(best({0.2, 0.8, 0.5}) == 1);
  CHECK(best({0.8, 0.5, 0.8, 0.2}) == 2);
}

TEST_CASE("a candidate replaces the best so far unless the score of that is lower, which no score is than NaN") {
  CHECK(best({kNaN}) == 0);
  CHECK(best({0.8, kNaN}) == 1);
  CHECK(best({kNaN, 0.8, 0.5}) == 1);
  CHECK(best({kNaN, 0.5, 0.8}) == 2);
  CHECK(best({0.8, kNaN, 0.2, 0.5}) == 3);
  CHECK(best({kNaN, 0.5, 0.5}) == 2);
}

TEST_CASE("nodes that are not in the set do not change its score") {
  const Cluster cluster = two_nodes();
  const std::vector nodes{NodeIndex(1)};
  const ScoredNodes scored(cluster, nodes);
  const Instance& instance = cluster.instance(InstanceIndex(0));
  CHECK(scored.with_primary(NodeIndex(0), cluster.node(NodeIndex(0)).books, instance).changes.empty());
  CHECK(scored.with_primary(NodeIndex(1), cluster.node(NodeIndex(1)).books, instance).changes.size() == 1);
}

TEST_CASE("exclusion tags on offline nodes collide with none") {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10000|0|8000|1000|1000|8|N|u|1|rack:1\n"
      "n2|10000|0|8000|1000|1000|8|Y|u|1|rack:1\n"
      "n3|10000|0|10000|1000|1000|8|N|u|1|rack:2\n\n"
      "a|2000|10|1|running|Y|n1||ext|s:1\n"
      "b|2000|10|1|running|Y|n2||ext|s:1\n\n"
      "htools:iextags:s\nhtools:nlocation:rack\n",
      "x.data");
  prepare(cluster, {});
  const std::vector nodes{NodeIndex(0), NodeIndex(1), NodeIndex(2)};
  ScoredNodes scored(cluster, nodes);
  const double before = scored.scores().statistics().score();
  scored.changed(NodeIndex(1));
  CHECK(scored.scores().statistics().score() == before);
  CHECK(scored.scores().pair_collisions() == 0.0);
  cluster.node(NodeIndex(1)).offline = false;
  CHECK(ScoredNodes(cluster, nodes).scores().pair_collisions() == 1.0);
}

}  // namespace htools::scored_nodes_test
