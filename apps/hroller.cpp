#include "apps/hroller.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "document/reboot_content.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"
#include "report/reboot_text.h"

namespace htools {
namespace {

void check_master(const HrollerOptions& options, const Cluster& cluster) {
  std::vector<std::string> masters;
  for (const Node& node : cluster.nodes) {
    if (node.facts->master) masters.push_back(node.facts->name);
  }
  if (masters.size() > 1)
    throw InputError(ErrorCode::Unanswerable, "Found more than one master node: " + quote_list(masters));
  if (!masters.empty()) return;
  const std::string message = "No master node found (maybe not supported by backend).";
  if (options.maintenance.needs_master) {
    throw InputError(ErrorCode::Unanswerable, message, {}, "With -f, hroller goes on without one.");
  }
  print_error("Warning: " + message + "\n");
}

std::optional<GroupIndex> select_group(const HrollerOptions& options, const Cluster& cluster) {
  if (!options.group) return std::nullopt;
  if (const auto group = find_group(cluster, *options.group)) return group;
  throw InputError(ErrorCode::UnknownName, "Cannot find target group.", {}, advice_on_group(cluster, *options.group));
}

void print_groups(const HrollerOptions& options, const Cluster& cluster, const std::vector<RebootGroup>& groups) {
  if (options.output.headers)
    print(options.maintenance.first_group_only ? "'First Reboot Group'\n" : "'Node Reboot Groups'\n");
  for (const RebootGroup& group : groups) {
    print(options.maintenance.first_group_only ? format_reboot_nodes(cluster, group)
                                               : format_reboot_group(cluster, group));
    if (options.maintenance.print_moves) print(format_reboot_moves(cluster, group));
  }
}

}  // namespace

int hroller_main(const CommandLine<HrollerOptions>& command_line) {
  reject_words(command_line.words);
  const HrollerOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source);
  Cluster& cluster = loaded.cluster;
  check_master(options, cluster);
  const std::string original = options.output.save_prefix ? write_text_cluster(cluster) : "";
  set_node_options(options.general, options.nodes, cluster);
  if (options.output.save_prefix) save_cluster(original, *options.output.save_prefix, "original", "before hroller run");

  const std::optional<GroupIndex> group = select_group(options, cluster);
  const std::vector<NodeIndex> selected = nodes_to_reboot(cluster, options.maintenance.reboot, group);
  if (selected.empty()) throw InputError(ErrorCode::Unanswerable, "Cannot create node graph");
  const NodeGraph graph(cluster, selected, options.maintenance.reboot.offline_maintenance);
  if (options.general.verbosity > 2) print(fmt::format("Node Graph: {}\n", format_node_graph(graph)));

  const std::vector<NodeColouring> colourings = colour_nodes(graph);
  std::vector<RebootGroup> groups =
      divide_into_reboot_groups(cluster, best_colouring(colourings).classes, options.maintenance.reboot,
                                options.maintenance.print_moves || prints_document());
  if (options.general.verbosity > 1) print(format_colourings(colourings) + "\n");
  groups = in_reboot_order(cluster, std::move(groups), selected);
  if (options.maintenance.first_group_only) groups.resize(1);
  print_groups(options, cluster, groups);
  if (prints_document()) print_document(document_head(kHrollerTool, loaded), RebootContent{std::move(groups)});
  return kExitSuccess;
}

}  // namespace htools
