#include "apps/hinfo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/output.h"
#include "base/decimal.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "metric/statistics.h"
#include "report/coefficients.h"
#include "report/group_table.h"
#include "survival/health.h"

namespace htools {
namespace {

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Prints the instances whose nodes are in different groups: the heading to the standard output, the names to the
// standard error.
void print_split_instances(const HinfoOptions& options, const Cluster& cluster) {
  const std::vector<InstanceIndex> split = split_instances(cluster);
  if (!split.empty()) {
    print(kSplitInstancesHeading);
    print_error(instance_lines(cluster, split));
  } else if (options.general.verbosity > 1) {
    print("No split instances found\n");
  }
}

void print_cluster_facts(const HinfoOptions& options, const LoadedCluster& loaded) {
  const Cluster& cluster = loaded.cluster;
  if (options.general.verbosity > 1 && cluster.instances.empty()) print("Cluster is empty.\n");
  print(fmt::format("Loaded {}, {}, {}\n", counted(cluster.nodes.size(), "node"),
                    counted(cluster.instances.size(), "instance"), counted(cluster.groups.size(), "node group")));
  if (options.general.verbosity > 2) print(common_suffix_line(loaded));
  print_split_instances(options, cluster);
}

GroupSummary summary_of(const Cluster& cluster, GroupIndex group, const GroupMembers& members) {
  const GroupHealth health = group_health(cluster, members);
  return {.group = group,
          .nodes = members.nodes.size(),
          .instances = members.instances.size(),
          .bad_nodes = health.bad_nodes.size(),
          .bad_instances = health.bad_instances.size(),
          .score = score(member_nodes(cluster, members))};
}

void print_groups(const HinfoOptions& options, const Cluster& cluster) {
  const std::vector<GroupMembers> members = members_by_group(cluster);
  std::vector<GroupSummary> summaries;
  for (GroupIndex group : groups_with_nodes(cluster)) {
    summaries.push_back(summary_of(cluster, group, members[group.position()]));
  }
  if (options.general.verbosity > 1)
    print("Node group information:\n" + format_group_table(cluster, summaries), Highlight::Groups);
  const bool happy =
      std::all_of(summaries.begin(), summaries.end(), [](const GroupSummary& s) { return s.is_n1_happy(); });
  print(fmt::format("Cluster is N+1 {}\n", happy ? "happy" : "unhappy"), Highlight::Sentences);
}

void print_score(const Cluster& cluster) {
  const Statistics statistics = Statistics::evaluate(all_nodes(cluster.nodes));
  print(fmt::format("Cluster coefficients:\n{}Cluster score: {}\n", format_coefficients(statistics),
                    format_fixed(statistics.score(), 8)));
}

}  // namespace

int hinfo_main(const CommandLine<HinfoOptions>& command_line) {
  reject_words(command_line.words);
  const HinfoOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation);
  print(cluster_tags_line(loaded.cluster));
  if (options.general.verbosity > 2) print(cluster_policy_line(loaded.cluster));
  apply_node_options(loaded.cluster, options.nodes);
  print_cluster_facts(options, loaded);
  print_groups(options, loaded.cluster);
  print_instance_table(options.output, loaded.cluster, all_members(loaded.cluster).instances, "Instances");
  print_node_table(options.output, loaded.cluster, "Cluster");
  print_score(loaded.cluster);
  return kExitSuccess;
}

}  // namespace htools
