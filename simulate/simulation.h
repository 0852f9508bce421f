// Defines the state of a capacity simulation, and the rules for it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "placement/candidates.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

// The size of a simulated instance. Memory and disk are in MiB.
struct SimulatedSize {
  std::int64_t memory = 0;
  std::int64_t disk = 0;
  std::int64_t vcpus = 0;
  std::int64_t spindles = 1;  // of the single disk; counts on exclusive storage only

  // False if an amount is negative, which users may ask for. Such an instance frees resources instead of taking them.
  bool takes_room() const { return memory >= 0 && disk >= 0 && spindles >= 0; }

  auto operator<=>(const SimulatedSize&) const = default;
};

// The properties that all simulated instances share.
struct SimulatedKind {
  DiskTemplate disk_template = DiskTemplate::Diskless;
  std::int64_t spindle_use = 1;
};

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
  std::size_t initial_count;  // number of instances before the simulation
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

  // Returns a check of all nodes of the state.
  CapacityCheck capacity_check(SimulationState& state) const;
  // Calls the observer, if there is one.
  void tell(const SimulationState& state, const SimulatedSize& size) const {
    if (observer) observer(state.added(), size);
  }
};

}  // namespace htools
