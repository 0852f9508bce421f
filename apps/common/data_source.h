// The cluster that the options name: loading, what is applied to it at once, and saving.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/common/options.h"
#include "cluster/cluster.h"
#include "cluster/monitoring.h"

namespace htools {

struct LoadedCluster {
  Cluster cluster;            // prepared
  std::string common_suffix;  // domain that all names share; empty if there is none
};

// The cluster behind an address of the remote API, with facts only. Throws InputError.
Cluster read_remote_cluster(const std::string& address);
// The cluster of this machine, as its query daemon knows it. Throws InputError.
Cluster read_local_cluster(const std::string& socket);

// Loads and prepares the cluster; warns on standard error of missing monitoring data, and of inconsistent data unless
// the verbosity is 0. Of several sources the first of master, luxi, simulation, text file and allocator request counts,
// but master, luxi and text file exclude each other. Throws InputError and FileError.
LoadedCluster load_cluster(const Options& options);

// What the monitoring daemons reported; nothing if the options do not ask for it. Throws InputError and FileError: the
// daemons themselves cannot be asked.
std::optional<Monitoring> read_monitoring_option(const Options& options);

// The offline nodes and the cpu and disk limits of the options. Throws InputError for an unknown node.
void apply_node_options(Cluster& cluster, const Options& options);

// Writes PREFIX.EXTENSION and says so on standard error: "The cluster state STATE has been written ...". Throws
// FileError.
void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state);

// The same for a cluster that is text already (formats/text_writer.h).
void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state);

}  // namespace htools
