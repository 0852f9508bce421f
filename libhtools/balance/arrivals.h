// How the values of a node change when an instance arrives, in the components that are standard deviations: by an
// amount of the instance times a factor of the node.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "metric/components.h"

namespace htools {

// What an instance adds to a node's value of a component, by its role there.
struct ArrivalModel {
  Component component;
  double (*as_primary)(const Instance&);
  double (*as_secondary)(const Instance&);
  bool changes_secondary;
  bool with_forthcoming;  // forthcoming instances count
  double (*factor)(const Node&);
  // In free space, spindles take the place of disk on nodes with exclusive storage.
  double (*spindle_factor)(const Node&) = nullptr;
};

// A component, or several that have the same value on every node whatever instances do: they count as one.
struct ScoreColumn {
  const ArrivalModel* model;
  double weight;  // sum of the components' weights
};

// The columns for the given instances (real ones); `forthcoming_move`: others may move, too. The reserved memory is
// none of them: its change depends on who else reserves memory.
std::vector<ScoreColumn> arrival_columns(const std::vector<ComponentValues>& online_values,
                                         const std::vector<const Instance*>& instances, bool forthcoming_move);

// Spindles that an instance takes on exclusive storage.
double spindle_amount(const Instance& instance);

}  // namespace htools
