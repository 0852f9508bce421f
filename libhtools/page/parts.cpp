#include <fmt/format.h>

#include <algorithm>

#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// Returns the amounts of a usage as words, which appear when the pointer is over a bar.
std::string usage_hint(const Usage& usage, BarResource resource, const AmountUnit& unit) {
  if (resource == BarResource::Cpus && usage.total == usage.physical) {
    return fmt::format("{} virtual CPUs on {} physical ones", unit.text(usage.all_used()), unit.text(usage.physical));
  }
  if (resource == BarResource::Cpus) {
    return fmt::format("{} of {} virtual CPUs allowed, on {} physical ones", unit.text(usage.all_used()),
                       unit.text(usage.total), unit.text(usage.physical));
  }
  std::string hint = fmt::format("used {}", unit.text(usage.all_used()));
  if (usage.reserved > 0.0) hint += fmt::format(", reserved {}", unit.text(usage.reserved));
  if (usage.missing > 0.0) hint += fmt::format(", missing {}", unit.text(usage.missing));
  return hint + fmt::format(", free {} of {} {}", unit.text(usage.free()), unit.text(usage.total), unit.name);
}

}  // namespace

std::string node_html(const Cluster& cluster, NodeIndex node) {
  return fmt::format("<bdi data-n=\"{}\">{}</bdi>", node.position(),
                     escaped(cluster.node(node).facts->name, kMostNameCharacters));
}

std::string instance_html(const Cluster& cluster, InstanceIndex instance) {
  return name_html(cluster.instance(instance).facts->name);
}

std::string group_html(const Cluster& cluster, GroupIndex group) { return name_html(cluster.group(group).name); }

std::string placement_html(const Cluster& cluster, NodeIndex primary, NodeIndex secondary) {
  if (primary.is_none()) return "–";
  std::string html = node_html(cluster, primary);
  if (!secondary.is_none()) html += ", " + node_html(cluster, secondary);
  return html;
}

std::string usage_html(const Usage& usage, BarResource resource, const AmountUnit& unit) {
  if (!(usage.total > 0.0)) return "<span class=\"num\">–</span>";
  return fmt::format("{}<span class=\"num{}\">{}<span class=\"of\"> of {}</span></span>",
                     usage_bar(usage, usage_hint(usage, resource, unit)), usage.missing > 0.0 ? " over" : "",
                     unit.text(usage.all_used()), unit.text(usage.total));
}

std::array<AmountUnit, 3> units_of_nodes(const PageContent& content) {
  std::array<AmountUnit, 3> units;
  for (const BarResource resource : kBarResources) {
    double largest = 0.0;
    for (const PageGroup& group : content.groups) {
      for (const NodeIndex n : group.examination.nodes) {
        largest = std::max(largest, usage_of(content.cluster.node(n), resource).total);
      }
    }
    units[static_cast<std::size_t>(resource)] = unit_for(resource, largest);
  }
  return units;
}

void add_resource_columns(std::vector<HtmlColumn>& columns, const std::array<AmountUnit, 3>& units,
                          std::string_view cls) {
  for (std::size_t r = 0; r < units.size(); ++r) {
    const std::string_view unit = units[r].name;
    columns.push_back(
        {unit.empty() ? std::string(kBarResourceNames[r]) : fmt::format("{}, {}", kBarResourceNames[r], unit), false,
         cls});
  }
}

std::string legend_entry(std::string_view cls, std::string_view text) {
  return fmt::format(
      "<li><svg class=\"key\" viewBox=\"0 0 20 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect "
      "class=\"{}\" width=\"20\" "
      "height=\"10\"/></svg> {}</li>",
      cls, text);
}

std::string bar_legend() {
  return "<ul class=\"legend\">" + legend_entry("u", "used") +
         legend_entry("r", "reserved: memory for failovers, disk to keep free") + legend_entry("f", "free") +
         legend_entry("m", "over-committed: needed, but not there") +
         "<li><svg class=\"key\" viewBox=\"0 0 20 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path "
         "class=\"t\" d=\"M10 0V10\"/></svg> "
         "number of physical CPUs</li></ul>\n";
}

}  // namespace htools
