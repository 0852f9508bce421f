// What several tools print of a loaded cluster.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apps/common/data_source.h"
#include "apps/common/options.h"
#include "cluster/cluster.h"
#include "jobs/commands.h"

namespace htools {

// Lines. That of the names' common suffix is empty if there is none.
std::string cluster_tags_line(const Cluster& cluster);
std::string cluster_policy_line(const Cluster& cluster);
std::string common_suffix_line(const LoadedCluster& loaded);

// The heading for instances whose nodes are in different groups, and the lines of those.
inline constexpr std::string_view kSplitInstancesHeading = "Found instances belonging to multiple node groups:\n";
std::string instance_lines(const Cluster& cluster, std::span<const InstanceIndex> instances);

// On standard error, if the options ask for them: the tables "TITLE status:" (of all nodes if it is not said of which)
// and "TITLE instance map:".
void print_node_table(const OutputOptions& options, const Cluster& cluster, std::string_view title);
void print_node_table(const OutputOptions& options, const Cluster& cluster, std::span<const NodeIndex> nodes,
                      std::string_view title);
void print_instance_table(const OutputOptions& options, const Cluster& cluster,
                          std::span<const InstanceIndex> instances, std::string_view title);

// The commands, if the options ask for them: listed on standard output under the heading, or
// written to a script, which is told there. Throws FileError.
void print_commands(const OutputOptions& options, std::string_view heading, const CommandLines& commands);

}  // namespace htools
