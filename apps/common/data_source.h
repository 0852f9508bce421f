// Loads the cluster that the options name, and saves clusters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/options/groups.h"
#include "cluster/cluster.h"
#include "cluster/prepare.h"

namespace htools {

struct LoadedCluster {
  Cluster cluster;            // prepared
  std::string common_suffix;  // the domain that all names share; empty if there is none
  std::string source;         // what it was read from, as the options name it
  bool is_document = false;   // true if that is a document of a cluster (htools.cluster/1)
};

// Loads and prepares the cluster (see prepare_loaded()), and warns about its oddities (examine/input_warnings.h). If
// there are several sources, the first of master, luxi, simulation, text file and allocator request counts; but master,
// luxi and text file exclude each other. Throws InputError and FileError.
LoadedCluster load_cluster(const GeneralOptions& general, const SourceOptions& source,
                           const UtilisationOptions& utilisation = {}, const InstanceOptions& instances = {});

// Applies the options about nodes. Warns on standard error, if the verbosity is above 0, about values that are probably
// mistakes, and about instances that lose both nodes by the options. Throws InputError.
void set_node_options(const GeneralOptions& general, const NodeOptions& options, Cluster& cluster);

// Returns the group with this name or UUID or, without a name, all groups that have nodes. Throws InputError if there
// is no such group.
std::vector<GroupIndex> wanted_groups(const std::optional<std::string>& name, const Cluster& cluster);

// Prints warnings on standard error, if the verbosity is above 0. Empty sentences are left out.
void warn(const GeneralOptions& general, const std::vector<std::string>& sentences);

// Says on standard error, if the verbosity is above 1, that the certificates of those remote APIs among `addresses`
// that are asked by HTTPS are not verified.
void tell_unverified(const GeneralOptions& general, const SourceOptions& source,
                     const std::vector<std::string>& addresses);

// Says on standard error, if the verbosity is above 0, that other rules than those of the options fit a live cluster of
// known version. `what` names the cluster.
void tell_other_rules(const GeneralOptions& general, const Cluster& cluster, std::string_view what = "the cluster");

// Prepares a cluster. If the options ask for it, includes the reports of the nodes' monitoring daemons. Warns on
// standard error about missing monitoring data and, unless the verbosity is 0, about inconsistent data. Throws
// InputError and FileError.
PrepareReport prepare_loaded(const GeneralOptions& general, const UtilisationOptions& utilisation, Cluster& cluster,
                             PrepareOptions prepare_options);

// Writes the cluster to the file PREFIX.EXTENSION and reports it on standard error: "The cluster state STATE has been
// written to file ...". Throws FileError.
void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state);

// Names on standard error the nodes whose N+1 state a saved file does not keep (formats/text_writer.h).
void tell_history(const Cluster& cluster);

// Does the same for a cluster that is already text (formats/text_writer.h).
void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state);

}  // namespace htools
