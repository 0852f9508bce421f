// Computes how the books of a node change when an instance is placed on it or taken off.
//
// The functions that return NodeBooks are pure: they compute the books that would result, so that a placement can be
// judged before it is made. The functions that take a Node& change the node.
#pragma once

#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// Return the node's books with the instance added or removed, starting from `books`: the node's own, or those of an
// earlier step of a trial. Tags and peers are always taken from the node as it is.
NodeBooks books_with_primary(const Node& node, const NodeBooks& books, const Instance& instance);
NodeBooks books_without_primary(const Node& node, const NodeBooks& books, const Instance& instance);
// `primary` is the primary node of the instance, whose failure the reserved memory is for.
NodeBooks books_with_secondary(const Node& node, const NodeBooks& books, const Instance& instance, NodeIndex primary);
NodeBooks books_without_secondary(const Node& node, const NodeBooks& books, const Instance& instance,
                                  NodeIndex primary);

// Do the same, starting from the node's own books.
inline NodeBooks books_with_primary(const Node& node, const Instance& instance) {
  return books_with_primary(node, node.books, instance);
}
inline NodeBooks books_without_primary(const Node& node, const Instance& instance) {
  return books_without_primary(node, node.books, instance);
}
inline NodeBooks books_with_secondary(const Node& node, const Instance& instance, NodeIndex primary) {
  return books_with_secondary(node, node.books, instance, primary);
}
inline NodeBooks books_without_secondary(const Node& node, const Instance& instance, NodeIndex primary) {
  return books_without_secondary(node, node.books, instance, primary);
}

// Add or remove the instance on the node: its books, lists of instances, tags and peers. `index` is the position of the
// instance in the cluster.
void add_primary(Node& node, InstanceIndex index, const Instance& instance);
void remove_primary(Node& node, InstanceIndex index, const Instance& instance);
void add_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary);
void remove_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary);

// Add the instance to the node while a cluster is loaded. The free memory and disk that the source reported already
// account for real instances, so these functions leave them alone.
void attach_primary(Node& node, InstanceIndex index, const Instance& instance);
void attach_secondary(Node& node, InstanceIndex index, const Instance& instance);

// Returns how many of the instance's desired locations the node does not offer.
inline std::int64_t desired_location_misses(const Node& node, const Instance& instance) {
  const TagSet& desired = instance.facts->desired_location_tags;
  return desired.empty() ? 0 : desired.size() - desired.common_with(node.facts->location_tags);
}

}  // namespace htools
