// The capacity simulation of a cluster: what hspace computes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "rules/fail_mode.h"
#include "simulate/simulation.h"

namespace htools {

// What is placed, and up to how many.
struct CapacityOptions {
  SimulatedKind kind;
  std::int64_t max_instances = -1;  // -1: no limit; other negative numbers are taken literally (fixed_size.h)
  bool capacity_checks = true;
  bool independent_groups = false;      // a group that cannot lose a node does not spoil the others
  bool accept_existing_errors = false;  // simulate although the cluster is not N+1 safe already
};

// What is wrong with the cluster before anything is placed.
struct InitialHealth {
  std::vector<NodeIndex> bad_nodes;    // online, and a failover to them may not find enough memory
  std::vector<GroupIndex> bad_groups;  // cannot lose some node; only filled on request
};

// The parts of a simulation that both phases share.
struct CapacityPlan {
  SimulationRules rules;
  bool refused = false;  // nothing is to be placed: the cluster has bad nodes
};

// `with_groups`: find the bad groups, too.
InitialHealth check_health(const Cluster& cluster, const CapacityOptions& options, bool with_groups);

CapacityPlan plan_simulation(const Cluster& cluster, const InitialHealth& health, const CapacityOptions& options);

// One phase. `failures` are those of the last placement; none if the limit left nothing to do. In a refused simulation
// only FailN1 was counted at all.
struct PhaseResult {
  SimulationState state;
  std::optional<FailCounts> failures;
  bool refused = false;
};

// Both throw InputError when there is no candidate node ("failure during allocation: ...").
PhaseResult simulate_tiered(const Cluster& cluster, const std::vector<SimulatedSize>& sizes, const CapacityPlan& plan,
                            std::int64_t max_instances);
PhaseResult simulate_fixed_size(const Cluster& cluster, const SimulatedSize& size, const CapacityPlan& plan,
                                std::int64_t max_instances);

}  // namespace htools
