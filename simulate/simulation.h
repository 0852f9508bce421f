// Defines the state of a capacity simulation, and the rules for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/capacity.h"
#include "placement/candidates.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

// Returns an instance of that kind and size, without name and nodes.
Instance simulated_instance(const SimulatedKind& kind, const SimulatedSize& size);

// A cluster to which simulated instances are added.
struct SimulationState {
  explicit SimulationState(const Cluster& initial) : trial(initial), initial_count(initial.instances.size()) {}

  const Cluster& cluster() const { return trial.cluster(); }
  // Returns the number of instances added so far.
  std::int64_t added() const { return static_cast<std::int64_t>(cluster().instances.size() - initial_count); }
  // Adds the instance to the nodes under the next free name ("new-K").
  void add(Instance instance, NodeIndex primary, NodeIndex secondary);

  Trial trial;
  std::size_t initial_count;           // number of instances before the simulation
  std::optional<CapacityCheck> check;  // of all nodes; empty until needed (SimulationRules::capacity_check())
};

// A function that is called from time to time with the number of instances added so far and the size that is being
// tried.
using SimulationObserver = std::function<void(std::int64_t added, const SimulatedSize&)>;

// The rules for all placements of a simulation.
struct SimulationRules {
  SimulatedKind kind;
  Candidates candidates;
  bool capacity_checks = true;
  CapacityCheck::Options check_options;

  SimulationObserver observer;

  // Returns the check of all nodes of the state. There is one for the whole simulation, because it knows what has not
  // changed since it was used last. All rules for one state must have the same options of the check.
  CapacityCheck& capacity_check(SimulationState& state) const;
  // Calls the observer, if there is one.
  void tell(const SimulationState& state, const SimulatedSize& size) const {
    if (observer) observer(state.added(), size);
  }
};

}  // namespace htools
