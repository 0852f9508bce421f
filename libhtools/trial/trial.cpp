#include "trial/trial.h"

#include <utility>

#include "rules/move_application.h"

namespace htools {

Trial::Trial(Cluster cluster)
    : cluster_(std::move(cluster)), nodes_(cluster_.nodes.size()), instances_(cluster_.instances.size()) {}

void Trial::begin() {
  nodes_.begin();
  instances_.begin();
}

void Trial::keep() {
  nodes_.keep();
  instances_.keep();
}

void Trial::undo() {
  nodes_.undo(cluster_.nodes);
  instances_.undo(cluster_.instances);
}

Node& Trial::change(NodeIndex index) {
  nodes_.save(cluster_.nodes, index.position());
  return cluster_.node(index);
}

Instance& Trial::change(InstanceIndex index) {
  instances_.save(cluster_.instances, index.position());
  return cluster_.instance(index);
}

void Trial::add(Instance instance) {
  cluster_.instances.push_back(std::move(instance));
  instances_.added();
}

void Trial::apply(InstanceIndex index, const Move& move) {
  const Instance& instance = cluster_.instance(index);
  for (NodeIndex n : {instance.primary, instance.secondary, move.target}) {
    if (!n.is_none()) nodes_.save(cluster_.nodes, n.position());
  }
  instances_.save(cluster_.instances, index.position());
  apply_move(cluster_, index, move);
}

}  // namespace htools
