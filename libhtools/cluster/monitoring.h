// What the nodes' monitoring daemons measured, and what a cluster's loads are according to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cluster/cluster.h"

namespace htools {

enum class Collector : std::uint8_t {
  CpuAverage,     // the cpu load of each node, shared out to its primary instances by their vcpus
  XenCpuAverage,  // the cpu load of each instance, summed up for its primary node
};

constexpr std::string_view name_of(Collector collector) {
  return collector == Collector::CpuAverage ? "cpu-avg-load" : "xen-cpu-avg-load";
}

// What one node's monitoring daemon reported. Empty: the collector did not report, or not in its form.
struct NodeReports {
  std::optional<double> cpu_load;                                             // Collector::CpuAverage
  std::optional<std::unordered_map<std::string, double>> instance_cpu_loads;  // Collector::XenCpuAverage; by full name
};

using MonitoringData = std::unordered_map<std::string, NodeReports>;  // by full node name

// What a collector measured on the nodes.
struct Monitoring {
  Collector collector = Collector::CpuAverage;
  MonitoringData data;
};

// Replaces the cpu loads of all nodes and instances by what was measured; other loads stay. The instances must be
// attached to their nodes. Every node, be it offline, must have reported, and a collector that measures instances must
// have measured every one; otherwise nothing is changed, and the result says why, in a sentence for people.
std::optional<std::string> apply_monitoring(Cluster& cluster, const Monitoring& monitoring);

}  // namespace htools
