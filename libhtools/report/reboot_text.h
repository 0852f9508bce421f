// Formats reboot groups, and the graph and the colourings from which they are made.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"

namespace htools {

// Returns the numbers of the first and last node, and the neighbours of each node: "array (0,2)
// [(0,[1]),(1,[0]),(2,[])]".
std::string format_node_graph(const NodeGraph& graph);

// Returns the number and the sizes of the classes of each colouring: "Dcolor: 2 (4,3) TIE Dsatur: 2 (4,3) LOOSE LF: 3
// (3,3,1)". Colourings with fewer classes come first; among equal ones, the last comes first.
std::string format_colourings(std::vector<NodeColouring> colourings);

// Returns the full names of the nodes: format_reboot_group() on one line, which may be empty, format_reboot_nodes()
// with one line per node.
std::string format_reboot_group(const Cluster& cluster, const RebootGroup& group);
std::string format_reboot_nodes(const Cluster& cluster, const RebootGroup& group);

// Returns one line per move with the instance and its nodes after the move: "  web1 node2 node3".
std::string format_reboot_moves(const Cluster& cluster, const RebootGroup& group);

}  // namespace htools
