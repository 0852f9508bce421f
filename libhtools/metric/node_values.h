// Computes a node's own value for every component of the score.
#pragma once

#include "cluster/node.h"
#include "metric/components.h"

namespace htools {

// Returns the values of the node with the books `books` in place of its own, so that a placement can be evaluated
// before it is made. The value of a component with Aggregation::Pairs is 0, because it has no meaning for a single
// node.
ComponentValues node_values(const Node& node, const NodeBooks& books);
inline ComponentValues node_values(const Node& node) { return node_values(node, node.books); }

}  // namespace htools
