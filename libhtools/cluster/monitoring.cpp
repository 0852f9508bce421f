#include "cluster/monitoring.h"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

// Returns the reports of a collector in the order of the nodes. There are fewer than nodes if some are missing.
template <class Content>
std::vector<const Content*> reports_of(const Cluster& cluster, const MonitoringData& data,
                                       std::optional<Content> NodeReports::*content) {
  std::vector<const Content*> reports;
  for (const Node& node : cluster.nodes) {
    const auto found = data.find(node.facts->name);
    if (found != data.end() && found->second.*content) reports.push_back(&*(found->second.*content));
  }
  return reports;
}

// Returns the message for missing reports.
std::string no_answer(Collector collector) {
  return fmt::format("Didn't receive an answer by all MonDs, {}'s data will be ignored.", name_of(collector));
}

// Applies Collector::CpuAverage: each instance gets the share of its node's load that its vcpus have in the used vcpus
// of the node.
std::optional<std::string> share_out_node_loads(Cluster& cluster, const MonitoringData& data) {
  const auto loads = reports_of(cluster, data, &NodeReports::cpu_load);
  if (loads.size() != cluster.nodes.size()) return no_answer(Collector::CpuAverage);
  for (std::size_t i = 0; i < loads.size(); ++i) cluster.nodes[i].books.load.cpu = *loads[i];
  // Instances whose vcpus are not counted for the node (forthcoming ones, for example) get a share, too.
  for (Instance& instance : cluster.instances) {
    const NodeBooks& books = cluster.node(instance.primary).books;
    instance.facts.edit().utilisation.cpu =
        books.load.cpu / static_cast<double>(books.real.used_vcpus) * static_cast<double>(instance.facts->vcpus);
  }
  return std::nullopt;
}

// Applies Collector::XenCpuAverage: each node gets the sum of the loads of its primary instances.
std::optional<std::string> sum_up_instance_loads(Cluster& cluster, const MonitoringData& data) {
  const auto reports = reports_of(cluster, data, &NodeReports::instance_cpu_loads);
  if (reports.size() != cluster.nodes.size()) return no_answer(Collector::XenCpuAverage);
  std::unordered_map<std::string_view, double> loads;
  // If several nodes report an instance, the first one counts.
  for (const auto* report : reports) loads.insert(report->begin(), report->end());

  std::set<std::string> unknown;
  for (const Instance& instance : cluster.instances) {
    if (!loads.contains(instance.facts->name)) unknown.insert(instance.facts->name);
  }
  if (!unknown.empty()) {
    return fmt::format("No CPU information available for {}", quote_list({unknown.begin(), unknown.end()}));
  }
  for (Instance& instance : cluster.instances) instance.facts.edit().utilisation.cpu = loads.at(instance.facts->name);
  for (Node& node : cluster.nodes) {
    double sum = 0.0;
    // The newest instance is added first, as in the reference (htools of Ganeti 3.0.2). The order affects the last
    // digits.
    for (auto i = node.primaries.rbegin(); i != node.primaries.rend(); ++i) {
      sum += cluster.instance(*i).facts->utilisation.cpu;
    }
    node.books.load.cpu = sum;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> apply_monitoring(Cluster& cluster, const Monitoring& monitoring) {
  return monitoring.collector == Collector::CpuAverage ? share_out_node_loads(cluster, monitoring.data)
                                                       : sum_up_instance_loads(cluster, monitoring.data);
}

}  // namespace htools
