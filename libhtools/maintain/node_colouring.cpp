#include "maintain/node_colouring.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/literal.h"
#include "maintain/max_tree.h"

namespace htools {

namespace {

using Colour = std::uint32_t;
constexpr Colour kUncoloured = std::numeric_limits<Colour>::max();
// The count of a vertex that already has a colour; it is lower than every real count.
constexpr std::int64_t kDone = -1;

// Returns the vertices by descending degree.
std::vector<Vertex> by_degree(const NodeGraph& graph) {
  std::vector<Vertex> order(graph.size());
  std::iota(order.rbegin(), order.rend(), Vertex{0});  // among equal degrees, the last vertex comes first
  std::stable_sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return graph.degree(a) > graph.degree(b); });
  return order;
}

// The colours given so far.
class Painter {
 public:
  explicit Painter(const NodeGraph& graph) : colours_(graph.size(), kUncoloured) {}

  bool is_coloured(Vertex v) const { return colours_[v] != kUncoloured; }

  // Gives `v` the first colour that none of its neighbours has, and returns that colour.
  Colour paint(Vertex v, const std::vector<Vertex>& neighbours) {
    std::vector<bool> taken(neighbours.size() + 1, false);  // n neighbours leave at least one of n + 1 colours
    for (Vertex w : neighbours) {
      if (is_coloured(w) && colours_[w] < taken.size()) taken[colours_[w]] = true;
    }
    return colours_[v] = static_cast<Colour>(std::find(taken.begin(), taken.end(), false) - taken.begin());
  }

  std::vector<std::vector<NodeIndex>> classes(const NodeGraph& graph) const {
    std::vector<std::vector<NodeIndex>> classes(*std::max_element(colours_.begin(), colours_.end()) + 1);
    for (Vertex v = 0; v < graph.size(); ++v) classes[colours_[v]].push_back(graph.node(v));
    return classes;
  }

 private:
  std::vector<Colour> colours_;
};

NodeColouring largest_first(const NodeGraph& graph, const std::vector<Vertex>& order) {
  Neighbours neighbours(graph);
  Painter painter(graph);
  for (Vertex v : order) painter.paint(v, neighbours.of(v));
  return {"LF", painter.classes(graph)};
}

// Returns the first position with the highest count, of `size` positions.
std::size_t first_highest(const MaxTree<1>& count, std::size_t size) {
  if (!kLiteral) return count.first_at_least(0, size, count.max());
  std::size_t highest = 0;
  for (std::size_t position = 1; position < size; ++position) {
    if (count[position] > count[highest]) highest = position;
  }
  return highest;
}

// Colours the vertex with the highest count next; among equal counts, the first one in `order`. After a vertex got
// `colour`, the count of a neighbour `v` that has no colour yet rises by one for each edge between the two for which
// `counts(v, colour)` is true.
template <class Counts>
NodeColouring highest_count_first(std::string_view name, const NodeGraph& graph, const std::vector<Vertex>& order,
                                  Counts counts) {
  std::vector<std::size_t> rank(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
  MaxTree<1> count(order.size());  // by rank, the position in `order`
  for (std::size_t r = 0; r < order.size(); ++r) count.set(r, {0});

  Neighbours neighbours(graph);
  Painter painter(graph);
  for (std::size_t coloured = 0; coloured < order.size(); ++coloured) {
    const std::size_t next = first_highest(count, order.size());
    const std::vector<Vertex>& around = neighbours.of(order[next]);
    const Colour colour = painter.paint(order[next], around);
    count.set(next, {kDone});
    for (Vertex w : around) {
      if (!painter.is_coloured(w) && counts(w, colour)) count.set(rank[w], {count[rank[w]][0] + 1});
    }
  }
  return {name, painter.classes(graph)};
}

// A function that returns true if it is called for the first time with this vertex and this colour: a neighbour of the
// vertex has got a colour that no neighbour had before.
class FirstOfColour {
 public:
  explicit FirstOfColour(const NodeGraph& graph) : known_(graph.size()) {}

  bool operator()(Vertex v, Colour colour) {
    std::vector<bool>& known = known_[v];
    if (known.size() <= colour) known.resize(colour + 1, false);
    if (known[colour]) return false;
    return known[colour] = true;
  }

 private:
  std::vector<std::vector<bool>> known_;
};

}  // namespace

std::vector<NodeColouring> colour_nodes(const NodeGraph& graph) {
  const std::vector<Vertex> order = by_degree(graph);
  return {largest_first(graph, order), highest_count_first("Dsatur", graph, order, FirstOfColour(graph)),
          highest_count_first("Dcolor", graph, order, [](Vertex, Colour) { return true; })};
}

const NodeColouring& best_colouring(const std::vector<NodeColouring>& colourings) {
  return *std::min_element(colourings.begin(), colourings.end(), [](const NodeColouring& a, const NodeColouring& b) {
    return a.classes.size() < b.classes.size();
  });
}

}  // namespace htools
