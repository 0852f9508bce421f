// Holds the data of the nodes' monitoring daemons, and derives the loads of a cluster from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cluster/cluster.h"

namespace htools {

// The data collectors of the monitoring daemons that can be used.
enum class Collector : std::uint8_t {
  CpuAverage,     // measures the cpu load of each node; its instances share it by their vcpus
  XenCpuAverage,  // measures the cpu load of each instance; a node has the sum of its primaries
};

// Returns the name of the collector in Ganeti.
constexpr std::string_view name_of(Collector collector) {
  return collector == Collector::CpuAverage ? "cpu-avg-load" : "xen-cpu-avg-load";
}

// The reports of one node's monitoring daemon. A report is absent if the collector did not report, or not in its form.
struct NodeReports {
  std::optional<double> cpu_load;  // from Collector::CpuAverage
  // The loads from Collector::XenCpuAverage, by full instance name.
  std::optional<std::unordered_map<std::string, double>> instance_cpu_loads;
};

// The reports of all nodes, by full node name.
using MonitoringData = std::unordered_map<std::string, NodeReports>;

// The measurements of one collector.
struct Monitoring {
  Collector collector = Collector::CpuAverage;
  MonitoringData data;
};

// Replaces the cpu loads of all nodes and instances by the measured ones; other loads stay. The instances must be
// attached to their nodes. All nodes, even offline ones, must have reported, and a collector that measures instances
// must have measured all of them. Otherwise nothing changes, and the result is the reason, as a sentence for people.
std::optional<std::string> apply_monitoring(Cluster& cluster, const Monitoring& monitoring);

}  // namespace htools
