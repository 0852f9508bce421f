// Writes the state of a cluster as metrics, in the text format that Prometheus reads.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "examine/health_check.h"
#include "htools/examine.h"

namespace htools {

// What metrics are about. All names of metrics begin with "htools_"; amounts are in bytes, parts are ratios. Each
// metric has a label `group`; those of nodes also have a label `node`.
struct MetricsSubject {
  const Cluster& cluster;
  std::string_view cluster_name = {};  // the value of the label `cluster`; without this label if it is empty
  bool with_nodes = false;             // adds the metrics of each node
};

// Returns the metrics htools_cluster_..., of an examination: sizes, free amounts, and the score with its components.
std::string cluster_metrics(const MetricsSubject& subject, const Examination& examination);

// Returns the metrics htools_health_..., of a health check: the number of problems as it is and after balancing, and
// the score with its components. No count may have failed.
std::string health_metrics(const MetricsSubject& subject, const HealthCheck& check);

}  // namespace htools
