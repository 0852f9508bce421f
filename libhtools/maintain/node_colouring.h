// Colours the graph of nodes: divides the nodes into few classes such that no two nodes of a class are neighbours.
#pragma once

#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_graph.h"

namespace htools {

// A division of the nodes into classes without neighbours: the nodes of a class can be rebooted together.
struct NodeColouring {
  std::string_view name;                        // the name of the heuristic
  std::vector<std::vector<NodeIndex>> classes;  // by colour; each class is in index order
};

// Returns the colourings of three heuristics. Each one gives one vertex after the other the first colour that none of
// its neighbours has. They differ in the order of the vertices: "LF" takes them by descending degree, "Dsatur" always
// takes the one with the most different colours among its neighbours, "Dcolor" the one with the most coloured
// neighbours. Ties are broken by higher degree, then by higher vertex number.
std::vector<NodeColouring> colour_nodes(const NodeGraph& graph);

// Returns the first of the colourings that have the fewest colours. `colourings` must not be empty.
const NodeColouring& best_colouring(const std::vector<NodeColouring>& colourings);

}  // namespace htools
