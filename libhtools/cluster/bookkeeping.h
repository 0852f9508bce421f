// What placing an instance on a node, or taking it off, does to the node's books.
//
// The functions on NodeBooks are pure: they tell what the books would be, so that a placement can be judged before it
// is made. The functions on Node make it.
#pragma once

#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// `books`: what the change starts from, the node's own or those of an earlier step of a trial. Tags and peers are
// always looked up in the node as it is.
NodeBooks books_with_primary(const Node& node, const NodeBooks& books, const Instance& instance);
NodeBooks books_without_primary(const Node& node, const NodeBooks& books, const Instance& instance);
// `primary`: the node that the memory is reserved for.
NodeBooks books_with_secondary(const Node& node, const NodeBooks& books, const Instance& instance, NodeIndex primary);
NodeBooks books_without_secondary(const Node& node, const NodeBooks& books, const Instance& instance,
                                  NodeIndex primary);

// The same, starting from the node's own books.
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

void add_primary(Node& node, InstanceIndex index, const Instance& instance);
void remove_primary(Node& node, InstanceIndex index, const Instance& instance);
void add_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary);
void remove_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary);

// While loading: the source's free memory and disk already account for real instances, so these leave them alone.
void attach_primary(Node& node, InstanceIndex index, const Instance& instance);
void attach_secondary(Node& node, InstanceIndex index, const Instance& instance);

// Number of the instance's desired locations that the node does not offer.
std::int64_t desired_location_misses(const Node& node, const Instance& instance);

}  // namespace htools
