#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cluster/node_state.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// A node with what decides its place in the list.
struct RankedNode {
  NodeIndex node;
  int trouble = 0;     // the higher, the worse
  double share = 0.0;  // of the resource that is used most
};

// The nodes that are not N+1 safe.
using UnsafeNodes = std::set<NodeIndex>;

RankedNode ranked(const Cluster& cluster, NodeIndex n, const UnsafeNodes& not_n1) {
  const Node& node = cluster.node(n);
  RankedNode rank{.node = n};
  if (node.offline && !(node.primaries.empty() && node.secondaries.empty())) {
    rank.trouble = 3;
  } else if (not_n1.contains(n) || (!node.offline && is_overcommitted(node))) {
    rank.trouble = 2;
  } else if (node.offline) {
    rank.trouble = -1;
  }
  for (const BarResource resource : kBarResources) {
    rank.share = std::max(rank.share, usage_of(node, resource).committed_share());
  }
  return rank;
}

std::vector<RankedNode> ranked_nodes(const Cluster& cluster, const PageGroup& group) {
  const UnsafeNodes not_n1(group.examination.bad_nodes.begin(), group.examination.bad_nodes.end());
  std::vector<RankedNode> nodes;
  for (const NodeIndex n : group.examination.nodes) nodes.push_back(ranked(cluster, n, not_n1));
  return nodes;
}

void sort_worst_first(std::vector<RankedNode>& nodes) {
  std::stable_sort(nodes.begin(), nodes.end(), [](const RankedNode& a, const RankedNode& b) {
    return a.trouble != b.trouble ? a.trouble > b.trouble : a.share > b.share;
  });
}

std::string flags_html(const Node& node, bool is_not_n1) {
  std::string flags;
  const NodeState state = state_of(node);
  if (state != NodeState::Online) {
    flags += fmt::format(" <span class=\"flag{}\">{}</span>", node.offline ? " off" : "", name(state));
  }
  if (is_not_n1) flags += " <span class=\"flag bad\">not N+1</span>";
  if (node.facts->master) flags += " <span class=\"flag\">master</span>";
  return flags;
}

// What the tables of nodes show.
struct NodeTableShape {
  std::array<AmountUnit, 3> units;
  bool has_group = false;
  bool has_secondaries = false;
};

std::vector<HtmlColumn> node_columns(const NodeTableShape& shape) {
  std::vector<HtmlColumn> columns{{"Node"}};
  if (shape.has_group) columns.push_back({"Group"});
  add_resource_columns(columns, shape.units, "bars");
  columns.push_back({"Primary", true});
  if (shape.has_secondaries) columns.push_back({"Secondary", true});
  return columns;
}

void add_node(HtmlTable& table, const PageContent& content, NodeIndex n, bool is_not_n1, const NodeTableShape& shape) {
  const Node& node = content.cluster.node(n);
  std::vector<HtmlCell> cells{{node_html(content.cluster, n) + flags_html(node, is_not_n1)}};
  if (shape.has_group) cells.push_back({group_html(content.cluster, node.facts->group)});
  for (const BarResource resource : kBarResources) {
    const Usage usage = usage_of(node, resource);
    cells.push_back({usage_html(usage, resource, shape.units[static_cast<std::size_t>(resource)]),
                     fmt::format("{:.4f}", usage.committed_share())});
  }
  cells.push_back({fmt::format("{}", node.primaries.size())});
  if (shape.has_secondaries) cells.push_back({fmt::format("{}", node.secondaries.size())});
  table.row(cells, node.offline ? " class=\"offline\"" : "");
}

std::string listed_groups(const PageContent& content, const NodeTableShape& shape) {
  std::string html;
  for (const PageGroup& group : content.groups) {
    std::vector<RankedNode> nodes = ranked_nodes(content.cluster, group);
    sort_worst_first(nodes);
    const UnsafeNodes not_n1(group.examination.bad_nodes.begin(), group.examination.bad_nodes.end());
    HtmlTable table(content.groups.size() == 1 ? "Nodes: those in trouble first, then the fullest"
                                               : fmt::format("Group {}: nodes in trouble first, then the fullest",
                                                             group_html(content.cluster, group.examination.group)),
                    node_columns(shape), "sort nodes");
    for (const RankedNode& n : nodes) add_node(table, content, n.node, not_n1.contains(n.node), shape);
    html += table.html();
  }
  return html;
}

std::vector<double> quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> found;
  for (std::size_t quarter = 0; quarter <= 4; ++quarter) found.push_back(values[(values.size() - 1) * quarter / 4]);
  return found;
}

// The table of quantiles of one resource, or rather its rows.
void add_quantiles(HtmlTable& table, const PageContent& content, const PageGroup& group) {
  for (const BarResource resource : kBarResources) {
    std::vector<double> shares;
    for (const NodeIndex n : group.examination.nodes) {
      const Node& node = content.cluster.node(n);
      if (!node.offline) shares.push_back(usage_of(node, resource).committed_share());
    }
    if (shares.empty()) continue;
    const std::vector<double> q = quantiles(std::move(shares));
    std::vector<HtmlCell> cells{
        {fmt::format("{}{}",
                     content.groups.size() == 1 ? "" : group_html(content.cluster, group.examination.group) + ": ",
                     kBarResourceNames[static_cast<std::size_t>(resource)])},
        {quantile_box(q)}};
    for (const double value : q) cells.push_back({fmt::format("{:.0f}", 100.0 * value)});
    table.row(cells);
  }
}

std::string summarised_groups(const PageContent& content, const NodeTableShape& shape) {
  HtmlTable spread("How full the nodes are: used and reserved, in per cent", {{"Resource"},
                                                                              {"Spread", false, "bars"},
                                                                              {"Least", true},
                                                                              {"Lower quarter", true},
                                                                              {"Median", true},
                                                                              {"Upper quarter", true},
                                                                              {"Most", true}});
  const std::size_t shown = std::min(content.groups.size(), kMostListedGroups);
  for (std::size_t g = 0; g < shown; ++g) add_quantiles(spread, content, content.groups[g]);
  std::vector<RankedNode> nodes;
  UnsafeNodes not_n1;
  for (const PageGroup& group : content.groups) {
    const std::vector<RankedNode> own = ranked_nodes(content.cluster, group);
    nodes.insert(nodes.end(), own.begin(), own.end());
    not_n1.insert(group.examination.bad_nodes.begin(), group.examination.bad_nodes.end());
  }
  const std::size_t all = nodes.size();
  sort_worst_first(nodes);
  nodes.resize(std::min(all, kMostWorstNodes));
  HtmlTable worst(fmt::format("The {} nodes that need attention first", nodes.size()), node_columns(shape),
                  "sort nodes");
  for (const RankedNode& n : nodes) add_node(worst, content, n.node, not_n1.contains(n.node), shape);
  return spread.html() + left_out_note(content.groups.size() - shown, "group") + worst.html() +
         left_out_note(all - nodes.size(), "node");
}

}  // namespace

std::string nodes_section(const PageContent& content) {
  std::size_t count = 0;
  for (const PageGroup& group : content.groups) count += group.examination.nodes.size();
  const bool is_listed = count <= kMostListedNodes && content.groups.size() <= kMostListedGroups;
  const NodeTableShape shape{
      .units = units_of_nodes(content),
      .has_group = !is_listed && content.groups.size() > 1,
      .has_secondaries = std::any_of(content.cluster.nodes.begin(), content.cluster.nodes.end(),
                                     [](const Node& node) { return !node.secondaries.empty(); })};
  return bar_legend() + (is_listed ? listed_groups(content, shape) : summarised_groups(content, shape));
}

}  // namespace htools
