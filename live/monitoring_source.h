// The monitoring daemons of a cluster's nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/monitoring.h"

namespace htools {

// What the monitoring daemons sent.
struct MonitoringAnswers {
  MonitoringData data;                // of the daemons that gave a report
  std::vector<std::string> warnings;  // about the nodes that could not be asked, in the nodes' order
};

// Whether it can be the name of a host: letters, digits, dots, hyphens, underscores, and what is not ASCII. Others
// would name another port or path, or a user.
bool is_host_name(std::string_view name);

// Where a node's daemon is asked for a collector's report.
std::string monitoring_url(std::string_view node, Collector collector);

// Asks the daemons of all nodes, offline ones, too; those whose names are no names of hosts count as failed. Throws
// InputError if hosts cannot be asked.
MonitoringAnswers ask_monitoring(const Cluster& cluster, Collector collector);

}  // namespace htools
