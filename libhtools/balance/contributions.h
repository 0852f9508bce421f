// Models the contribution of an instance to a node's values, for the components of the score that are standard
// deviations: an amount of the instance times a factor of the node.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "metric/components.h"

namespace htools {

// The contribution of an instance to a node's value of one component: amount times factor. The amount depends on the
// role of the instance on the node; it is negative where the value counts what is free.
struct ContributionModel {
  Component component;
  double (*as_primary)(const Instance&);
  double (*as_secondary)(const Instance&);
  bool changes_secondary;  // true if a secondary changes the value
  bool with_forthcoming;   // true if the component counts forthcoming instances, too
  double (*factor)(const Node&);
  // The factor for spindle_amount(), for the free disk of nodes with exclusive storage, where spindles count instead of
  // disk; null for other components. The factor is 0 on nodes without exclusive storage.
  double (*spindle_factor)(const Node&) = nullptr;
};

// A component of the score; or several components that have the same value on every node whatever moves are made, and
// so can be computed as one.
struct ScoreColumn {
  const ContributionModel* model;
  double weight;  // sum of the weights of the components
};

// Returns the columns for moves of `instances`, which are real ones. `online_values` are the values of the online
// nodes. `forthcoming_move` is true if forthcoming instances may move, too. Reserved memory is not among the columns,
// because its change depends on the other instances that reserve memory on the node.
std::vector<ScoreColumn> contribution_columns(const std::vector<ComponentValues>& online_values,
                                              const std::vector<const Instance*>& instances, bool forthcoming_move);

// Returns the contribution of the instance to a node's free spindles, with exclusive storage: minus the spindles of
// its disks. Returns 0 if they are unknown.
double spindle_amount(const Instance& instance);

}  // namespace htools
