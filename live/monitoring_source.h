// Asks the monitoring daemons of the nodes of a cluster for their measurements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/monitoring.h"

namespace htools {

// The answers of the monitoring daemons.
struct MonitoringAnswers {
  MonitoringData data;                // from the daemons that answered; a report may be absent
  std::vector<std::string> warnings;  // about the nodes that could not be asked, in the order of the nodes
};

// True if `name` can be the name of a host: letters, digits, dots, hyphens, underscores, and characters that are not
// ASCII. In a URL, other characters could select another port or path, or a user.
bool is_host_name(std::string_view name);

// Returns the URL of a collector's report at a node's daemon.
std::string monitoring_url(std::string_view node, Collector collector);

// Asks the daemons of all nodes, including offline ones. Nodes whose names cannot be names of hosts count as failed.
// Throws InputError if no requests can be sent.
MonitoringAnswers ask_monitoring(const Cluster& cluster, Collector collector);

}  // namespace htools
