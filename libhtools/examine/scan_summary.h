// Sums up a cluster in the few numbers that a table of many clusters shows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cluster/cluster.h"

namespace htools {

// The numbers. Memory and disk are in MiB and those of all nodes, offline ones included.
struct ScanSummary {
  std::size_t nodes = 0;
  std::size_t instances = 0;
  std::size_t bad_nodes = 0;      // see examine/health.h; all nodes count as one group
  std::size_t bad_instances = 0;  // those with a bad node
  double total_memory = 0.0;
  double total_disk = 0.0;
  std::int64_t free_memory = 0;  // as reported
  std::int64_t free_disk = 0;
  double score = 0.0;
};

ScanSummary summarise(const Cluster& cluster);

}  // namespace htools
