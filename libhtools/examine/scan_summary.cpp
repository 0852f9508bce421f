#include "examine/scan_summary.h"

#include "cluster/members.h"
#include "examine/health.h"
#include "metric/statistics.h"

namespace htools {

ScanSummary summarise(const Cluster& cluster) {
  const GroupHealth health = group_health(cluster, all_members(cluster));
  ScanSummary summary;
  summary.nodes = cluster.nodes.size();
  summary.instances = cluster.instances.size();
  summary.bad_nodes = health.bad_nodes.size();
  summary.bad_instances = health.bad_instances.size();
  for (const Node& node : cluster.nodes) {
    summary.total_memory += node.facts->total_memory;
    summary.total_disk += node.facts->total_disk;
    summary.free_memory += node.facts->free_memory;
    summary.free_disk += node.books.real.free_disk;
  }
  summary.score = score(cluster.nodes);
  return summary;
}

}  // namespace htools
