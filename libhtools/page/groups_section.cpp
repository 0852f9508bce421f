#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/decimal.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

constexpr int kScoreDecimals = 4;

// What the components of the score are about, in the order of the table.
constexpr std::array<std::string_view, kComponentCount> kComponentMeanings{
    "Uneven free memory",
    "Uneven free disk",
    "Nodes that are not N+1 safe",
    "Uneven reserved memory",
    "Instances with an offline node",
    "Primary instances of offline nodes",
    "Uneven virtual CPUs",
    "Uneven CPU load",
    "Uneven memory load",
    "Uneven disk load",
    "Uneven network load",
    "Exclusion tags shared on a node",
    "Uneven spindles",
    "Uneven free memory, with planned instances",
    "Uneven free disk, with planned instances",
    "Uneven virtual CPUs, with planned instances",
    "Uneven spindles, with planned instances",
    "Copies that share a location; desired locations missed",
    "Exclusion tags shared in a location",
    "Reserved memory in all",
};

// A component of the score of a group, with its part in the score.
struct WeighedComponent {
  std::size_t position;
  double part;
};

std::string score_table(const PageContent& content, const PageGroup& group) {
  const Score& score = group.examination.score;
  std::vector<WeighedComponent> components;
  std::size_t zero = 0;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double part = score.components[k] * kComponents[k].weight;
    if (part != 0.0)
      components.push_back({k, part});
    else
      ++zero;
  }
  std::stable_sort(components.begin(), components.end(),
                   [](const WeighedComponent& a, const WeighedComponent& b) { return a.part > b.part; });
  const double largest = components.empty() ? 1.0 : components.front().part;
  const std::string title = fmt::format(
      "{}Score {}, grade {}",
      content.groups.size() == 1 ? "" : fmt::format("Group {}: ", group_html(content.cluster, group.examination.group)),
      format_fixed(score.value, kScoreDecimals), group.grade);
  HtmlTable table(title, {{"Component"},
                          {"Name"},
                          {"Part of the score", false, "bars"},
                          {"Value", true},
                          {"Weight", true},
                          {"Part", true}});
  for (const WeighedComponent& c : components) {
    const ComponentFacts& facts = kComponents[c.position];
    table.row({{std::string(kComponentMeanings[c.position])},
               {fmt::format("<code>{}</code>", facts.name)},
               {share_bar(c.part / largest)},
               {format_fixed(score.components[c.position], kScoreDecimals)},
               {format_fixed(facts.weight, 2)},
               {format_fixed(c.part, kScoreDecimals)}});
  }
  if (components.empty()) return fmt::format("<p>{}: all components are 0.</p>\n", title);
  return table.html() + (zero == 0 ? "" : fmt::format("<p class=\"note\">{} further components are 0.</p>\n", zero));
}

}  // namespace

std::string groups_section(const PageContent& content) {
  if (content.groups.size() < 2) return "";
  std::array<AmountUnit, 3> units;
  for (const BarResource resource : kBarResources) {
    double largest = 0.0;
    for (const PageGroup& group : content.groups) {
      largest = std::max(largest, usage_of(content.cluster, group.examination.nodes, resource).total);
    }
    units[static_cast<std::size_t>(resource)] = unit_for(resource, largest);
  }
  std::vector<HtmlColumn> columns{{"Group"},         {"Nodes", true}, {"Instances", true},
                                  {"Not N+1", true}, {"Grade", true}, {"Score", true}};
  add_resource_columns(columns, units, "bars");
  HtmlTable table("Node groups: online nodes' resources, grade and score", columns, "sort broad");
  const std::size_t shown = std::min(content.groups.size(), kMostListedGroups);
  for (std::size_t g = 0; g < shown; ++g) {
    const GroupExamination& e = content.groups[g].examination;
    std::vector<HtmlCell> cells{
        {group_html(content.cluster, e.group)},       {fmt::format("{}", e.nodes.size())},
        {fmt::format("{}", e.instances.size())},      {fmt::format("{}", e.bad_nodes.size())},
        {fmt::format("{}", content.groups[g].grade)}, {format_fixed(e.score.value, kScoreDecimals)}};
    for (const BarResource resource : kBarResources) {
      const Usage usage = usage_of(content.cluster, e.nodes, resource);
      cells.push_back({usage_html(usage, resource, units[static_cast<std::size_t>(resource)]),
                       fmt::format("{:.4f}", usage.committed_share())});
    }
    table.row(cells);
  }
  return table.html() + left_out_note(content.groups.size() - shown, "group");
}

std::string score_section(const PageContent& content) {
  constexpr std::size_t kMostScoreTables = 8;
  std::string html =
      "<p>The score measures how unevenly a node group is used, and adds what is at risk; lower is better. The grade "
      "looks at the evenness of memory, disk and CPUs alone: 100 is even.</p>\n";
  const std::size_t shown = std::min(content.groups.size(), kMostScoreTables);
  for (std::size_t g = 0; g < shown; ++g) html += score_table(content, content.groups[g]);
  return html + left_out_note(content.groups.size() - shown, "group");
}

}  // namespace htools
