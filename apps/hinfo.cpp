#include "apps/hinfo.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/output.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/members.h"
#include "document/cluster_content.h"
#include "htools/examine.h"
#include "report/group_table.h"

namespace htools {
namespace {

// Prints the instances whose nodes are in different groups: the heading on standard output, the names on standard
// error.
void print_split_instances(const HinfoOptions& options, const Cluster& cluster, const Examination& examination) {
  if (!examination.split_instances.empty()) {
    print(kSplitInstancesHeading);
    print_error(instance_lines(cluster, examination.split_instances));
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
}

void print_groups(const HinfoOptions& options, const Cluster& cluster, const Examination& examination) {
  if (options.general.verbosity > 1) {
    print("Node group information:\n" + format_group_table(cluster, examination.groups), Highlight::Groups);
  }
  const bool happy = examination.is_n1_safe();
  print(fmt::format("Cluster is N+1 {}\n", happy ? "happy" : "unhappy"), happy ? Highlight::None : Highlight::Bad);
}

void print_score(const Score& score) {
  print(fmt::format("Cluster coefficients:\n{}Cluster score: {}\n", to_text(score), format_fixed(score.value, 8)));
}

}  // namespace

int hinfo_main(const CommandLine<HinfoOptions>& command_line) {
  reject_words(command_line.words);
  const HinfoOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation);
  print(cluster_tags_line(loaded.cluster));
  if (options.general.verbosity > 2) print(cluster_policy_line(loaded.cluster));
  set_node_options(options.general, options.nodes, loaded.cluster);
  print_cluster_facts(options, loaded);
  const Examination examination = examine(loaded.cluster);
  print_split_instances(options, loaded.cluster, examination);
  print_groups(options, loaded.cluster, examination);
  print_instance_table(options.output, loaded.cluster, all_members(loaded.cluster).instances, "Instances");
  print_node_table(options.output, loaded.cluster, "Cluster");
  print_score(examination.score);
  if (options.metrics.level) {
    print_piece(cluster_metrics(metrics_subject(options.metrics, loaded.cluster), examination));
  }
  if (prints_document()) {
    print_document(document_head(kHinfoTool, loaded), ClusterContent{loaded.cluster, examination});
  }
  return kExitSuccess;
}

}  // namespace htools
