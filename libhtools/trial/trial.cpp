#include "trial/trial.h"

#include <utility>

#include "rules/move_application.h"

namespace htools {

Trial::Trial(Cluster cluster)
    : cluster_(std::move(cluster)),
      nodes_(cluster_.nodes.size()),
      instances_(cluster_.instances.size()),
      node_revisions_(cluster_.nodes.size(), 0) {}

void Trial::begin() {
  nodes_.begin();
  instances_.begin();
}

void Trial::keep() {
  nodes_.keep();
  instances_.keep();
}

void Trial::undo() {
  nodes_.undo(cluster_.nodes, [&](std::size_t position) { node_revisions_[position] = ++latest_; });
  instances_.undo(cluster_.instances, [&](std::size_t) { instances_revision_ = ++latest_; });
}

Node& Trial::change(NodeIndex index) {
  nodes_.save(cluster_.nodes, index.position());
  node_revisions_[index.position()] = ++latest_;
  return cluster_.node(index);
}

Instance& Trial::change(InstanceIndex index) {
  instances_.save(cluster_.instances, index.position());
  instances_revision_ = ++latest_;
  return cluster_.instance(index);
}

void Trial::add(Instance instance) {
  cluster_.instances.push_back(std::move(instance));
  instances_.added();
}

void Trial::apply(InstanceIndex index, const Move& move) {
  const Instance& instance = change(index);
  for (NodeIndex n : {instance.primary, instance.secondary, move.target}) {
    if (!n.is_none()) change(n);
  }
  apply_move(cluster_, index, move);
}

}  // namespace htools
