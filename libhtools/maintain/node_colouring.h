// Dividing nodes into as few classes as possible, so that no two nodes of a class are neighbours.
#pragma once

#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_graph.h"

namespace htools {

// Nodes divided into classes that exclude no other node of the class.
struct NodeColouring {
  std::string_view name;                        // of the heuristic
  std::vector<std::vector<NodeIndex>> classes;  // by colour, each in index order
};

// The answers of three heuristics. All of them give one vertex after the other the first colour that none of its
// neighbours has, and differ in the order: by degree ("LF"); the one with the most different colours among its
// neighbours first ("Dsatur"); or with the most coloured neighbours ("Dcolor"). Equal: by degree, then the last.
std::vector<NodeColouring> colour_nodes(const NodeGraph& graph);

// The first with the fewest colours.
const NodeColouring& best_colouring(const std::vector<NodeColouring>& colourings);

}  // namespace htools
