#include "maintain/node_colouring.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/reboot_text.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::node_colouring_test {

using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;

namespace {

using Colours = std::vector<int>;  // by vertex; -1 for those without a colour
using Importance = std::function<std::size_t(const std::vector<Vertex>& neighbours, const Colours& colours)>;

// Colours the graph literally: examines all vertices again for each one that gets its colour.
std::vector<std::vector<NodeIndex>> literal_classes(const NodeGraph& graph, const Importance& importance) {
  std::vector<std::vector<Vertex>> neighbours;
  Neighbours reader(graph);
  for (Vertex v = 0; v < graph.size(); ++v) neighbours.push_back(reader.of(v));
  Colours colours(graph.size(), -1);
  for (std::size_t round = 0; round < graph.size(); ++round) {
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, Vertex>> open;
    for (Vertex v = 0; v < graph.size(); ++v) {
      if (colours[v] < 0) open.push_back({{importance(neighbours[v], colours), neighbours[v].size()}, v});
    }
    const Vertex next = std::max_element(open.begin(), open.end())->second;
    std::set<int> taken;
    for (Vertex w : neighbours[next]) taken.insert(colours[w]);
    colours[next] = 0;
    while (taken.count(colours[next]) > 0) ++colours[next];
  }
  std::vector<std::vector<NodeIndex>> classes;
  for (int colour = 0;; ++colour) {
    std::vector<NodeIndex> nodes;
    for (Vertex v = 0; v < graph.size(); ++v) {
      if (colours[v] == colour) nodes.push_back(graph.node(v));
    }
    if (nodes.empty()) return classes;
    classes.push_back(nodes);
  }
}

std::size_t degree_only(const std::vector<Vertex>&, const Colours&) { return 0; }

std::size_t different_colours(const std::vector<Vertex>& neighbours, const Colours& colours) {
  std::set<int> different;
  for (Vertex w : neighbours) different.insert(colours[w]);
  different.erase(-1);
  return different.size();
}

std::size_t coloured_neighbours(const std::vector<Vertex>& neighbours, const Colours& colours) {
  return static_cast<std::size_t>(
      std::count_if(neighbours.begin(), neighbours.end(), [&](Vertex w) { return colours[w] >= 0; }));
}

// Returns the graph of nodes with instances. Each place is a primary and a secondary node.
NodeGraph graph_of(std::size_t size, const std::vector<std::pair<std::size_t, std::size_t>>& places) {
  Cluster cluster;
  cluster.nodes.resize(size);
  for (const auto& [primary, secondary] : places) {
    Instance instance;
    instance.facts.edit().disk_template = DiskTemplate::Drbd;
    instance.primary = NodeIndex(primary);
    instance.secondary = NodeIndex(secondary);
    cluster.instances.push_back(instance);
  }
  std::vector<NodeIndex> all;
  for (std::size_t n = 0; n < size; ++n) all.push_back(NodeIndex(n));
  return NodeGraph(cluster, all, true);
}

}  // namespace

TEST_CASE("the three colourings, and which is best") {
  const NodeGraph graph = graph_of(7, {{1, 2}, {2, 4}, {6, 5}, {1, 3}, {3, 6}});
  const std::vector<NodeColouring> colourings = colour_nodes(graph);
  CHECK(format_colourings(colourings) == "Dcolor: 2 (4,3) TIE Dsatur: 2 (4,3) LOOSE LF: 3 (3,3,1)");
  CHECK(best_colouring(colourings).name == "Dsatur");
}

TEST_CASE("of equally good colourings the first is best") {
  const std::vector<NodeColouring> colourings = colour_nodes(graph_of(3, {{0, 1}, {1, 2}}));
  CHECK(format_colourings(colourings) == "Dcolor: 2 (1,2) TIE Dsatur: 2 (1,2) TIE LF: 2 (1,2)");
  CHECK(best_colouring(colourings).name == "LF");
}

TEST_CASE("nodes without neighbours all have the same colour") {
  CHECK(format_colourings(colour_nodes(graph_of(4, {}))) == "Dcolor: 1 (4) TIE Dsatur: 1 (4) TIE LF: 1 (4)");
}

TEST_CASE("colourings are those of the rules") {
  Random random(162);
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    ClusterShape shape;
    shape.nodes = random.between(1, 40);
    shape.instances = random.between(0, 2 * shape.nodes);
    shape.crowded = 100;
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Ext};
    shape.second_node = random.chance(30) ? 40 : 0;
    const Cluster cluster = testing::random_cluster(random, shape);
    std::vector<NodeIndex> selected;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(90)) selected.push_back(NodeIndex(n));
    }
    if (selected.empty()) continue;
    const NodeGraph graph(cluster, selected, random.chance(50));
    const std::vector<NodeColouring> colourings = colour_nodes(graph);
    REQUIRE(colourings.size() == 3);
    CHECK(colourings[0].classes == literal_classes(graph, degree_only));
    CHECK(colourings[1].classes == literal_classes(graph, different_colours));
    CHECK(colourings[2].classes == literal_classes(graph, coloured_neighbours));
  }
}

}  // namespace htools::node_colouring_test
