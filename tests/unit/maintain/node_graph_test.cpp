#include "maintain/node_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "report/reboot_text.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::node_graph_test {

using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;

namespace {

using Edge = std::pair<std::size_t, std::size_t>;

std::vector<NodeIndex> nodes(const std::vector<std::size_t>& positions) {
  std::vector<NodeIndex> result;
  for (std::size_t n : positions) result.push_back(NodeIndex(n));
  return result;
}

// Returns the edges as the rules describe them: those of the whole cluster are made first.
std::vector<Edge> literal_edges(const Cluster& cluster, const std::vector<NodeIndex>& selected,
                                bool offline_maintenance) {
  std::vector<Edge> edges;
  for (const Instance& instance : cluster.instances) {
    if (!instance.facts->has_secondary()) continue;
    edges.emplace_back(instance.primary.position(), instance.secondary.position());
    edges.emplace_back(instance.secondary.position(), instance.primary.position());
  }
  for (const Node& node : cluster.nodes) {
    if (offline_maintenance) break;
    std::vector<std::size_t> primaries;
    for (auto i = node.secondaries.rbegin(); i != node.secondaries.rend(); ++i) {
      primaries.push_back(cluster.instance(*i).primary.position());
    }
    for (std::size_t x : primaries) {
      for (std::size_t y : primaries) {
        if (std::find(edges.begin(), edges.end(), Edge{x, y}) == edges.end()) edges.emplace_back(x, y);
      }
    }
  }
  const auto joins = [&](std::size_t n) {
    return std::find(selected.begin(), selected.end(), NodeIndex(n)) != selected.end();
  };
  std::erase_if(edges, [&](const Edge& edge) { return !joins(edge.first) || !joins(edge.second); });
  return edges;
}

std::vector<std::size_t> literal_neighbours(const std::vector<Edge>& edges, std::size_t node) {
  std::vector<std::size_t> targets;
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    if (edge->first == node) targets.push_back(edge->second);
  }
  return targets;
}

Cluster example() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n"
      "\n"
      "n0|4096|0|4096|102400|20480|4|M|u|1\n"
      "n1|4096|0|4096|102400|20480|4|N|u|1\n"
      "n2|4096|0|4096|102400|20480|4|N|u|1\n"
      "n3|4096|0|4096|102400|20480|4|N|u|1\n"
      "\n"
      "i0|512|1024|1|running|Y|n1|n2|drbd||1\n"
      "i1|512|1024|1|running|Y|n1|n2|drbd||1\n"
      "i2|512|1024|1|running|Y|n3|n2|drbd||1\n"
      "i3|512|1024|1|running|Y|n0|n3|ext||1\n"
      "i4|512|1024|1|running|Y|n1|n3|ext||1\n"
      "\n",
      "example");
  prepare(cluster, {});
  return cluster;
}

std::string text(const std::vector<std::size_t>& selected, bool offline_maintenance) {
  return format_node_graph(NodeGraph(example(), nodes(selected), offline_maintenance));
}

}  // namespace

TEST_CASE("the two nodes of an instance are neighbours, once for each instance") {
  CHECK(text({0, 1, 2, 3}, true) == "array (0,3) [(0,[]),(1,[2,2]),(2,[3,1,1]),(3,[2])]");
}

TEST_CASE("nodes with a common secondary are neighbours, and so is each of them of itself") {
  CHECK(text({0, 1, 2, 3}, false) == "array (0,3) [(0,[0,1]),(1,[0,1,3,2,2]),(2,[3,1,1]),(3,[1,3,2])]");
}

TEST_CASE("nodes between the selected ones are vertices without edges") {
  CHECK(text({1, 3}, true) == "array (1,3) [(1,[]),(2,[]),(3,[])]");
  CHECK(text({1, 3}, false) == "array (1,3) [(1,[1,3]),(2,[]),(3,[1,3])]");
  CHECK(text({2}, false) == "array (2,2) [(2,[])]");
}

TEST_CASE("the graph has the edges of the rules, in their order") {
  Random random(161);
  for (int round = 0; round < scaled(400); ++round) {
    CAPTURE(round);
    ClusterShape shape = testing::random_shape(random);
    shape.second_node = random.chance(30) ? 40 : 0;
    if (random.chance(50)) shape.templates = {DiskTemplate::Drbd};
    const Cluster cluster = testing::random_cluster(random, shape);
    std::vector<NodeIndex> selected;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(75)) selected.push_back(NodeIndex(n));
    }
    if (selected.empty()) continue;
    const bool offline_maintenance = random.chance(30);
    const NodeGraph graph(cluster, selected, offline_maintenance);
    REQUIRE(graph.node(0) == selected.front());
    REQUIRE(graph.size() == selected.back().position() - selected.front().position() + 1);
    const std::vector<Edge> edges = literal_edges(cluster, selected, offline_maintenance);
    Neighbours neighbours(graph);
    for (Vertex v = 0; v < graph.size(); ++v) {
      std::vector<std::size_t> found;
      for (Vertex w : neighbours.of(v)) found.push_back(graph.node(w).position());
      CHECK(found == literal_neighbours(edges, graph.node(v).position()));
      CHECK(graph.degree(v) == found.size());
    }
  }
}

}  // namespace htools::node_graph_test
