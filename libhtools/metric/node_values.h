// A node's own value for every component of the metric.
#pragma once

#include "cluster/node.h"
#include "metric/components.h"

namespace htools {

// With the given books in place of the node's own, so that a placement can be valued before it is made. The value of a
// Pairs component is 0: it has no meaning for a single node.
ComponentValues node_values(const Node& node, const NodeBooks& books);
inline ComponentValues node_values(const Node& node) { return node_values(node, node.books); }

}  // namespace htools
