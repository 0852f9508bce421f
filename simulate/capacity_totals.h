// Sums over all nodes of a cluster (offline ones included) that capacity reports are made of.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"

namespace htools {

// Memory and disk in MiB. The doubles are folded in node order.
struct CapacityTotals {
  __extension__ using Sum = __int128;

  double memory = 0.0, disk = 0.0, cpus = 0.0, spindles = 0.0;  // installed
  Sum vcpus = 0;                                                // that the policies' ratios allow
  Sum memory_free = 0, memory_available = 0, memory_instances = 0, memory_overhead = 0;
  Sum disk_free = 0, disk_available = 0, disk_instances = 0;
  Sum spindles_free = 0, spindles_instances = 0;
  Sum vcpus_used = 0;                                 // by nodes and instances
  double cpus_used = 0;                               // the same in physical cpus, by each node's ratio
  std::int64_t instances = 0;                         // real primaries
  std::int64_t largest_memory = 0, largest_disk = 0;  // available on one node
  double score = 0.0;

  double memory_efficiency() const { return static_cast<double>(memory_instances) / memory; }
  double disk_efficiency() const { return static_cast<double>(disk_instances) / disk; }
  double vcpu_efficiency() const { return static_cast<double>(vcpus_used) / static_cast<double>(vcpus); }
  double spindle_efficiency() const { return static_cast<double>(spindles_instances) / spindles; }
};

CapacityTotals capacity_totals(const Cluster& cluster);

}  // namespace htools
