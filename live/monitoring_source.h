// The monitoring daemons of a cluster's nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/monitoring.h"

namespace htools {

struct MonitoringAnswers {
  MonitoringData data;                // of the daemons that gave a report
  std::vector<std::string> warnings;  // about the nodes that could not be asked, in the nodes' order
};

// Where a node's daemon is asked for a collector's report.
std::string monitoring_url(std::string_view node, Collector collector);

// Asks the daemons of all nodes, offline ones, too. Throws InputError if hosts cannot be asked.
MonitoringAnswers ask_monitoring(const Cluster& cluster, Collector collector);

}  // namespace htools
