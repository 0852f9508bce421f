#include "examine/health.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace htools {
namespace {

// True if some floating-point value of the ledger or of the node is NaN.
bool has_nan(const Ledger& ledger) {
  const std::array values{ledger.memory_ratio, ledger.disk_ratio, ledger.vcpu_ratio, ledger.instance_spindles};
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// Returns the load that the forthcoming instances of the group bring to the node, which no book has: what is primary
// there, and the load of disks of what has its second copy there.
Load forthcoming_load(const Cluster& cluster, const GroupMembers& members, NodeIndex node) {
  Load sum{};
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    if (!instance.facts->forthcoming) continue;
    const Load& load = instance.facts->utilisation;
    if (instance.primary == node && instance.secondary != node) {
      sum += load;
    } else if (instance.secondary == node) {
      sum.disk += load.disk;
    }
  }
  return sum;
}

// True if the node, with or without its forthcoming instances, has a value that is NaN. `planned` is their load.
bool has_nan(const Node& node, const Load& planned) {
  const Load& load = node.books.load;
  const std::array values{node.facts->total_memory,
                          node.facts->total_disk,
                          node.facts->total_cpus,
                          node.facts->cpu_speed,
                          node.facts->vcpu_ratio_limit,
                          node.facts->max_instance_spindles,
                          node.books.reserved_ratio,
                          load.cpu,
                          load.memory,
                          load.disk,
                          load.network,
                          load.cpu + planned.cpu,
                          load.memory + planned.memory,
                          load.disk + planned.disk,
                          load.network + planned.network};
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }) ||
         has_nan(node.books.real) || has_nan(node.books.forthcoming);
}

}  // namespace

GroupHealth group_health(const Cluster& cluster, const GroupMembers& members) {
  GroupHealth health;
  const bool has_forthcoming = std::any_of(members.instances.begin(), members.instances.end(),
                                           [&](InstanceIndex i) { return cluster.instance(i).facts->forthcoming; });
  for (NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    const bool bad = !node.offline && node.books.n1_failed;
    const Load planned = bad && has_forthcoming ? forthcoming_load(cluster, members, n) : Load{};
    if (!bad || has_nan(node, planned)) health.other_nodes.push_back(n);
    if (!bad) continue;
    health.bad_nodes.push_back(n);
    for (const auto& instances : {node.primaries, node.secondaries}) {
      health.bad_instances.insert(health.bad_instances.end(), instances.begin(), instances.end());
    }
  }
  std::sort(health.bad_instances.begin(), health.bad_instances.end());
  const auto repeated = std::unique(health.bad_instances.begin(), health.bad_instances.end());
  health.bad_instances.erase(repeated, health.bad_instances.end());
  return health;
}

std::optional<FailMode> policy_violation(const Node& node) {
  if (node.books.real.instance_spindles > node.facts->max_instance_spindles) return FailMode::Disk;
  if (node.books.real.vcpu_ratio > node.facts->vcpu_ratio_limit) return FailMode::Cpu;
  return std::nullopt;
}

}  // namespace htools
