#include "simulate/capacity_totals.h"

#include <algorithm>

#include "metric/statistics.h"

namespace htools {

CapacityTotals capacity_totals(const Cluster& cluster) {
  CapacityTotals t;
  for (const Node& node : cluster.nodes) {
    const std::int64_t available_memory = node.available_memory();
    const std::int64_t available_disk = node.available_disk();
    t.memory = t.memory + node.facts->total_memory;
    t.disk = t.disk + node.facts->total_disk;
    t.cpus = t.cpus + node.facts->total_cpus;
    t.spindles = t.spindles + static_cast<double>(node.facts->spindles);
    t.vcpus += node.facts->max_vcpus;
    t.memory_free += node.unallocated_memory();
    t.memory_available += available_memory;
    t.memory_instances += node.books.instance_memory;
    t.memory_overhead += node.facts->missing_memory;
    t.memory_overhead += node.facts->node_memory;
    t.disk_free += node.books.real.free_disk;
    t.disk_available += available_disk;
    t.disk_instances += node.used_disk();
    t.spindles_free += node.books.real.free_spindles;
    t.spindles_instances += node.facts->spindles - node.books.real.free_spindles;
    t.vcpus_used += node.books.real.used_vcpus;
    t.cpus_used = t.cpus_used + static_cast<double>(node.books.real.used_vcpus) / node.facts->vcpu_ratio_limit;
    t.instances += node.books.primary_count;
    t.largest_memory = std::max(t.largest_memory, available_memory);
    t.largest_disk = std::max(t.largest_disk, available_disk);
  }
  t.score = score(cluster.nodes);
  return t;
}

}  // namespace htools
