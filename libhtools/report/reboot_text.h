// Reboot groups, and how they came about.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"

namespace htools {

// "array (0,2) [(0,[1]),(1,[0]),(2,[])]": first and last node, and the neighbours of each.
std::string format_node_graph(const NodeGraph& graph);

// "Dcolor: 2 (4,3) TIE Dsatur: 2 (4,3) LOOSE LF: 3 (3,3,1)": number and sizes of the classes, the fewest first; of
// equal ones the last first.
std::string format_colourings(std::vector<NodeColouring> colourings);

// The names of the nodes: on one line, which may be empty, or on lines of their own.
std::string format_reboot_group(const Cluster& cluster, const RebootGroup& group);
std::string format_reboot_nodes(const Cluster& cluster, const RebootGroup& group);

// "  web1 node2 node3": one line per move, with the nodes after it.
std::string format_reboot_moves(const Cluster& cluster, const RebootGroup& group);

}  // namespace htools
