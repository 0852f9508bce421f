// The cluster that the options name: loading and saving.
#pragma once

#include <string>
#include <string_view>

#include "apps/common/options.h"
#include "cluster/cluster.h"
#include "cluster/prepare.h"

namespace htools {

struct LoadedCluster {
  Cluster cluster;            // prepared
  std::string common_suffix;  // domain that all names share; empty if there is none
};

// Loads and prepares the cluster (see prepare_loaded). Of several sources the first of master, luxi, simulation, text
// file and allocator request counts, but master, luxi and text file exclude each other. Throws InputError and
// FileError.
LoadedCluster load_cluster(const GeneralOptions& general, const SourceOptions& source,
                           const UtilisationOptions& utilisation = {}, const InstanceOptions& instances = {});

// Prepares a cluster, also with what its nodes' monitoring daemons report, if the options ask for that; warns on
// standard error of missing monitoring data, and of inconsistent data unless the verbosity is 0. Throws InputError and
// FileError.
PrepareReport prepare_loaded(const GeneralOptions& general, const UtilisationOptions& utilisation, Cluster& cluster,
                             PrepareOptions prepare_options);

// Writes PREFIX.EXTENSION and says so on standard error: "The cluster state STATE has been written ...". Throws
// FileError.
void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state);

// The same for a cluster that is text already (formats/text_writer.h).
void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state);

}  // namespace htools
