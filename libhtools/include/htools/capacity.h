// Simulates how many further instances a cluster can take.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "htools/cluster.h"
#include "htools/disk_template.h"
#include "htools/refusal.h"

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

// The kind of instances to place, their maximum number, and the checks.
struct CapacityOptions {
  SimulatedKind kind;
  std::int64_t max_instances = -1;      // -1: no limit
  bool capacity_checks = true;          // every node must be able to be emptied after each placement
  bool independent_groups = false;      // a group that cannot lose a node does not prevent allocation in others
  bool accept_existing_errors = false;  // simulate even if the cluster is not N+1 safe at the start
};

// Sums over all nodes of a cluster, offline ones included. Memory and disk are in MiB. Doubles are added in the order
// of the nodes.
struct CapacityTotals {
  __extension__ using Sum = __int128;

  double memory = 0.0, disk = 0.0, cpus = 0.0, spindles = 0.0;  // installed in all nodes
  Sum vcpus = 0;                                                // that the vcpu ratios of the policies allow
  Sum memory_free = 0, memory_available = 0, memory_instances = 0, memory_overhead = 0;
  Sum disk_free = 0, disk_available = 0, disk_instances = 0;
  Sum spindles_free = 0, spindles_instances = 0;
  Sum vcpus_used = 0;                                 // by the nodes' own systems and by instances
  double cpus_used = 0;                               // the same in physical cpus, by each node's vcpu ratio
  std::int64_t instances = 0;                         // number of real instances, by their primary nodes
  std::int64_t largest_memory = 0, largest_disk = 0;  // the most that is available on one node
  double score = 0.0;

  double memory_efficiency() const { return static_cast<double>(memory_instances) / memory; }
  double disk_efficiency() const { return static_cast<double>(disk_instances) / disk; }
  double vcpu_efficiency() const { return static_cast<double>(vcpus_used) / static_cast<double>(vcpus); }
  double spindle_efficiency() const { return static_cast<double>(spindles_instances) / spindles; }
};

// The number of instances of one size that were placed one after the other.
struct PlacedSize {
  SimulatedSize size;
  std::int64_t count = 0;
};

// The result of placing instances until no further one fits.
struct PhaseResult {
  std::shared_ptr<const Cluster> after;  // the cluster with the placed instances, which come after its own
  std::size_t initial_count = 0;         // the number of instances before
  std::vector<PlacedSize> placed;        // in the order of placement
  CapacityTotals totals;                 // of the cluster with the placed instances
  // The reasons why the nodes refuse one more. There are none if the limit left nothing to do. In a refused phase, one
  // failure of the kind N1 stands for everything.
  std::optional<FailCounts> failures;
  bool refused = false;  // nothing was placed, because the cluster is not N+1 safe at the start

  std::int64_t added() const { return static_cast<std::int64_t>(instance_count(*after) - initial_count); }
};

// Places instances of one size until no further one fits. Throws InputError if there is no node to place them on.
PhaseResult fill(const Cluster& cluster, const SimulatedSize& size, const CapacityOptions& options);

// Places instances of this size and, when no further one fits, of smaller and smaller ones: each time the amount that
// most nodes lack is lowered. Throws InputError if there is no node to place them on.
PhaseResult fill_tiered(const Cluster& cluster, const SimulatedSize& size, const CapacityOptions& options);

// Returns a few lines: the number of placed instances, and the reasons why no further one fits.
std::string to_text(const PhaseResult& result);

}  // namespace htools
