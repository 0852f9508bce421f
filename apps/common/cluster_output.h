// Prints the parts of a loaded cluster that several tools show.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/options/groups.h"
#include "cluster/cluster.h"
#include "jobs/commands.h"
#include "jobs/wave_script.h"

namespace htools {

// Return a line with the tags or the policy of the cluster, or with the common suffix of all names. The last one is
// empty if there is no common suffix.
std::string cluster_tags_line(const Cluster& cluster);
std::string cluster_policy_line(const Cluster& cluster);
std::string common_suffix_line(const LoadedCluster& loaded);

// The heading for instances whose nodes are in different groups.
inline constexpr std::string_view kSplitInstancesHeading = "Found instances belonging to multiple node groups:\n";
std::string instance_lines(const Cluster& cluster, std::span<const InstanceIndex> instances);

// Print the tables "TITLE status:" (of all nodes unless `nodes` are given) and "TITLE instance map:" on standard error
// if the options ask for them.
void print_node_table(const OutputOptions& options, const Cluster& cluster, std::string_view title);
void print_node_table(const OutputOptions& options, const Cluster& cluster, std::span<const NodeIndex> nodes,
                      std::string_view title);
void print_instance_table(const OutputOptions& options, const Cluster& cluster,
                          std::span<const InstanceIndex> instances, std::string_view title);

// Writes a script of commands to the file that the options name, and prints its name. Throws FileError if it cannot be
// written, and OutputError.
void write_script(const OutputOptions& options, const std::string& script);

// Writes the moves of the waves, wave by wave, to the file that the options name: as a script, or as a playbook.
// `comments` are lines that come before the plan. Throws like write_script() and wave_script().
void write_wave_script(const OutputOptions& options, const Cluster& cluster, const std::vector<ScriptWave>& waves,
                       std::string_view comments = {});

// Prints the commands if the options ask for them: lists them on standard output under the heading, or writes them to a
// script and prints its name. Throws FileError if the script cannot be written, and OutputError.
void print_commands(const OutputOptions& options, std::string_view heading, const CommandLines& commands);

}  // namespace htools
