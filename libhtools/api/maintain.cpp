#include "htools/maintain.h"

#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"
#include "report/reboot_text.h"

namespace htools {

std::vector<RebootGroup> reboot_groups(const Cluster& cluster, const RebootOptions& options,
                                       std::optional<GroupIndex> group) {
  const std::vector<NodeIndex> selected = nodes_to_reboot(cluster, options, group);
  if (selected.empty()) throw InputError(ErrorCode::Unanswerable, "no node is selected for a reboot");
  const NodeGraph graph(cluster, selected, options.offline_maintenance);
  const std::vector<NodeColouring> colourings = colour_nodes(graph);
  const auto& classes = best_colouring(colourings).classes;
  return in_reboot_order(cluster, divide_into_reboot_groups(cluster, classes, options, true), selected);
}

std::string to_text(const Cluster& cluster, const std::vector<RebootGroup>& groups) {
  std::string text;
  for (const RebootGroup& group : groups) text += format_reboot_group(cluster, group);
  return text;
}

}  // namespace htools
