// Loads the cluster that the options name, and saves clusters.
#pragma once

#include <string>
#include <string_view>

#include "apps/options/options.h"
#include "cluster/cluster.h"
#include "cluster/prepare.h"

namespace htools {

struct LoadedCluster {
  Cluster cluster;            // prepared
  std::string common_suffix;  // the domain that all names share; empty if there is none
};

// Loads and prepares the cluster (see prepare_loaded()). If there are several sources, the first of master, luxi,
// simulation, text file and allocator request counts; but master, luxi and text file exclude each other. Throws
// InputError and FileError.
LoadedCluster load_cluster(const GeneralOptions& general, const SourceOptions& source,
                           const UtilisationOptions& utilisation = {}, const InstanceOptions& instances = {});

// Prepares a cluster. If the options ask for it, includes the reports of the nodes' monitoring daemons. Warns on
// standard error about missing monitoring data and, unless the verbosity is 0, about inconsistent data. Throws
// InputError and FileError.
PrepareReport prepare_loaded(const GeneralOptions& general, const UtilisationOptions& utilisation, Cluster& cluster,
                             PrepareOptions prepare_options);

// Writes the cluster to the file PREFIX.EXTENSION and reports it on standard error: "The cluster state STATE has been
// written to file ...". Throws FileError.
void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state);

// Does the same for a cluster that is already text (formats/text_writer.h).
void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state);

}  // namespace htools
