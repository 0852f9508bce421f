// The state of a capacity simulation, and the rules it runs under.
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

// The size of a simulated instance. Memory and disk in MiB.
struct SimulatedSize {
  std::int64_t memory = 0;
  std::int64_t disk = 0;
  std::int64_t vcpus = 0;
  std::int64_t spindles = 1;  // of the single disk; counts on exclusive storage only

  // Sizes below zero may be asked for; they make room instead.
  bool takes_room() const { return memory >= 0 && disk >= 0 && spindles >= 0; }

  auto operator<=>(const SimulatedSize&) const = default;
};

// What all simulated instances have in common.
struct SimulatedKind {
  DiskTemplate disk_template = DiskTemplate::Diskless;
  std::int64_t spindle_use = 1;
};

Instance simulated_instance(const SimulatedKind& kind, const SimulatedSize& size);

// A cluster to which instances are added.
struct SimulationState {
  explicit SimulationState(const Cluster& initial) : trial(initial), initial_count(initial.instances.size()) {}

  const Cluster& cluster() const { return trial.cluster(); }
  // Number of instances added so far.
  std::int64_t added() const { return static_cast<std::int64_t>(cluster().instances.size() - initial_count); }
  // Adds the instance under the next free name ("new-K").
  void add(Instance instance, NodeIndex primary, NodeIndex secondary);

  Trial trial;
  std::size_t initial_count;
};

// Is told now and then how many instances have been added, and which size is being tried.
using SimulationObserver = std::function<void(std::int64_t added, const SimulatedSize&)>;

// What is common to all placements of a simulation.
struct SimulationRules {
  SimulatedKind kind;
  Candidates candidates;
  bool capacity_checks = true;
  CapacityCheck::Options check_options;

  SimulationObserver observer;

  CapacityCheck capacity_check(SimulationState& state) const;
  void tell(const SimulationState& state, const SimulatedSize& size) const {
    if (observer) observer(state.added(), size);
  }
};

}  // namespace htools
