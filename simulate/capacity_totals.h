// Computes the sums over all nodes of a cluster, offline ones included, that capacity reports consist of.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"

namespace htools {

// The sums. Memory and disk are in MiB. Doubles are added in the order of the nodes.
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

CapacityTotals capacity_totals(const Cluster& cluster);

}  // namespace htools
