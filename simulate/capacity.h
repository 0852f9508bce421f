// Simulates how many instances a cluster can take. The tool hspace prints the result.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "htools/capacity.h"
#include "htools/disk_template.h"
#include "simulate/simulation.h"

namespace htools {

// The problems of the cluster before anything is placed.
struct InitialHealth {
  std::vector<NodeIndex> bad_nodes;    // online nodes that may lack memory for a failover to them
  std::vector<GroupIndex> bad_groups;  // groups that cannot lose one of their nodes; filled only on request
};

// The data that both phases of a simulation share.
struct CapacityPlan {
  SimulationRules rules;
  bool refused = false;  // nothing may be placed, because the cluster has bad nodes
};

// Returns the problems of the cluster; the bad groups only if `with_groups` is set.
InitialHealth check_health(const Cluster& cluster, const CapacityOptions& options, bool with_groups);

// Decides which groups take part, and whether anything may be placed.
CapacityPlan plan_simulation(const Cluster& cluster, const InitialHealth& health, const CapacityOptions& options);

// Run one phase: place instances of each size and of smaller ones (tiered), or of one size. Throw InputError if there
// is no candidate node ("failure during allocation: ...").
PhaseResult simulate_tiered(const Cluster& cluster, const std::vector<SimulatedSize>& sizes, const CapacityPlan& plan,
                            std::int64_t max_instances);
PhaseResult simulate_fixed_size(const Cluster& cluster, const SimulatedSize& size, const CapacityPlan& plan,
                                std::int64_t max_instances);

// Returns how many instances of the size fit, as hspace counts without options: 0 where it gives an error.
std::int64_t count_fitting(const Cluster& cluster, const SimulatedSize& size, DiskTemplate disk_template);

}  // namespace htools
