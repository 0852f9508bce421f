// Keeps the nodes of a group as targets for the instances of a vacated node.
#pragma once

#include <span>
#include <vector>

#include "survival/certain_fit.h"
#include "trial/node_watch.h"
#include "trial/trial.h"

namespace htools {

// The nodes of a group as targets, without cordoned ones, in descending order of free memory. They follow the changes
// of a trial.
class GroupTargets {
 public:
  // Both arguments must outlive the object.
  GroupTargets(const Trial& trial, const std::vector<NodeIndex>& nodes);

  // Returns all nodes in the present state of the trial. The result is valid until the trial changes.
  std::span<const FitTarget> current();

 private:
  const Trial& trial_;
  NodeWatch watch_;
  std::vector<FitTarget> targets_;
};

// Gives the target of a node other capacities, and keeps the descending order of free memory. Fast if few targets are
// between the old and the new place. Does nothing if the node is not among the targets.
void change_target(std::vector<FitTarget>& targets, NodeIndex node, const FreeCapacity& free);
// Does the same for a target that takes an instance.
void take_from_target(std::vector<FitTarget>& targets, NodeIndex node, const Demand& demand);

}  // namespace htools
