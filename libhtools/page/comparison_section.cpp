#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "page/html.h"
#include "page/sections.h"
#include "report/diagnosis_text.h"

namespace htools {
namespace {

constexpr std::string_view kArrow = " <span class=\"to\">→</span> ";

std::string outcome_of_groups(const PageContent& content) {
  const PageComparison& c = *content.comparison;
  HtmlTable table("Groups: there, and here", {{"Group"}, {"Score", true}, {"Grade", true}});
  const std::size_t shown = std::min(content.groups.size(), kMostListedGroups);
  for (std::size_t g = 0; g < shown; ++g) {
    const bool has_before = c.grades[g].before >= 0;
    table.row(
        {{group_html(content.cluster, content.groups[g].examination.group)},
         {fmt::format("{}{}{}", has_before ? format_fixed(c.scores[g].before, 4) : "–", kArrow,
                      format_fixed(c.scores[g].after, 4))},
         {fmt::format("{}{}{}", has_before ? fmt::format("{}", c.grades[g].before) : "–", kArrow, c.grades[g].after)}});
  }
  return table.html() + left_out_note(content.groups.size() - shown, "group");
}

// A node that is in both states, and how far its usage differs.
struct ChangedNode {
  ComparedNode node;
  double change = 0.0;
};

std::vector<ChangedNode> changed_nodes(const PageContent& content) {
  std::vector<ChangedNode> nodes;
  for (const ComparedNode& node : content.comparison->comparison.nodes) {
    const Node& now = content.cluster.node(node.now);
    const Node& other = content.comparison->other.node(node.other);
    double change = now.offline != other.offline ? 1.0 : 0.0;
    for (const BarResource resource : kBarResources) {
      change += std::abs(usage_of(now, resource).committed_share() - usage_of(other, resource).committed_share());
    }
    if (change > 0.0) nodes.push_back({node, change});
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const ChangedNode& a, const ChangedNode& b) { return a.change > b.change; });
  return nodes;
}

std::string nodes_table(const PageContent& content) {
  const std::vector<ChangedNode> nodes = changed_nodes(content);
  if (nodes.empty()) return "";
  const std::array<AmountUnit, 3> units = units_of_nodes(content);
  std::vector<HtmlColumn> columns{{"Node"}};
  add_resource_columns(columns, units, "bars two");
  HtmlTable table("Nodes that differ most: there (upper bar), and here (lower bar)", columns, "sort");
  const std::size_t shown = std::min(nodes.size(), kMostDifferences / 2);
  for (std::size_t i = 0; i < shown; ++i) {
    const Node& now = content.cluster.node(nodes[i].node.now);
    const Node& other = content.comparison->other.node(nodes[i].node.other);
    std::string name = node_html(content.cluster, nodes[i].node.now);
    if (now.offline != other.offline) {
      name += now.offline ? " <span class=\"flag off\">now offline</span>" : " <span class=\"flag\">now online</span>";
    }
    std::vector<HtmlCell> cells{{name}};
    for (const BarResource resource : kBarResources) {
      const AmountUnit& unit = units[static_cast<std::size_t>(resource)];
      const Usage end = usage_of(now, resource);
      cells.push_back({usage_html(usage_of(other, resource), resource, unit) + usage_html(end, resource, unit),
                       fmt::format("{:.4f}", end.committed_share())});
    }
    table.row(cells);
  }
  return table.html() + left_out_note(nodes.size() - shown, "node");
}

// The nodes of an instance of the other state, which need not be in this one.
std::string other_placement(const PageComparison& c, const Instance& instance) {
  std::string html;
  for (const NodeIndex n : {instance.primary, instance.secondary}) {
    if (n.is_none()) continue;
    html += (html.empty() ? "" : ", ") + name_html(c.other.node(n).facts->name);
  }
  return html.empty() ? "–" : html;
}

std::string moved_table(const PageContent& content) {
  const PageComparison& c = *content.comparison;
  const std::vector<ComparedInstance>& moved = c.comparison.moved;
  if (moved.empty()) return "";
  HtmlTable table("Instances that are elsewhere", {{"Instance"}, {"There"}, {"Here"}}, "sort");
  const std::size_t shown = std::min(moved.size(), kMostDifferences);
  for (std::size_t i = 0; i < shown; ++i) {
    const Instance& now = content.cluster.instance(moved[i].now);
    table.row({{instance_html(content.cluster, moved[i].now)},
               {other_placement(c, c.other.instance(moved[i].other))},
               {placement_html(content.cluster, now.primary, now.secondary)}});
  }
  return table.html() + left_out_note(moved.size() - shown, "instance");
}

std::string size_of(const Instance& instance) {
  return fmt::format("{}, {}, {} vCPUs", amount_text(instance.facts->memory), amount_text(instance.facts->disk),
                     instance.facts->vcpus);
}

std::string resized_table(const PageContent& content) {
  const PageComparison& c = *content.comparison;
  const std::vector<ComparedInstance>& resized = c.comparison.resized;
  if (resized.empty()) return "";
  HtmlTable table("Instances of another size (memory, disk, CPUs)", {{"Instance"}, {"There"}, {"Here"}}, "sort");
  const std::size_t shown = std::min(resized.size(), kMostDifferences);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row({{instance_html(content.cluster, resized[i].now)},
               {size_of(c.other.instance(resized[i].other))},
               {size_of(content.cluster.instance(resized[i].now))}});
  }
  return table.html() + left_out_note(resized.size() - shown, "instance");
}

template <class IndexType>
std::string only_line(const Cluster& cluster, const std::vector<IndexType>& elements, std::string_view noun,
                      std::string_view where) {
  if (elements.empty()) return "";
  return fmt::format("<li>{} only {}: {}</li>\n", counted(elements.size(), noun), where,
                     escaped(names_text(cluster, elements)));
}

}  // namespace

std::string comparison_section(const PageContent& content) {
  if (!content.comparison) return "";
  const PageComparison& c = *content.comparison;
  const StateComparison& s = c.comparison;
  std::string html =
      fmt::format("<p>There is {}; here is {}. {} elsewhere, {} of another size.</p>\n", name_html(c.source),
                  name_html(content.source),
                  counted(s.moved.size(), "instance") + (s.moved.size() == 1 ? " is" : " are"), s.resized.size());
  const std::string only = only_line(c.other, s.only_other_nodes, "node", "there") +
                           only_line(content.cluster, s.only_now_nodes, "node", "here") +
                           only_line(c.other, s.only_other, "instance", "there") +
                           only_line(content.cluster, s.only_now, "instance", "here");
  if (!only.empty()) html += "<ul>\n" + only + "</ul>\n";
  return html + outcome_of_groups(content) + nodes_table(content) + moved_table(content) + resized_table(content);
}

}  // namespace htools
