#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/durations.h"
#include "base/strings.h"
#include "cluster/data_copies.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"
#include "report/refusal_sentence.h"

namespace htools {
namespace {

constexpr std::size_t kMostEmptiedNamed = 20;

std::string arrow(std::string_view before, std::string_view after) {
  return fmt::format("{} <span class=\"to\">→</span> {}", before, after);
}

// Says which nodes count as offline in what follows.
std::string emptied_note(const PageContent& content) {
  const std::vector<NodeIndex>& nodes = content.plan->emptied;
  if (nodes.empty()) return "";
  std::vector<std::string> names;
  for (const NodeIndex n : nodes) names.push_back(node_html(content.cluster, n));
  return fmt::format("<p>Counted as offline, because the plan empties them: {}.</p>\n",
                     join_first(names, kMostEmptiedNamed));
}

// Names the instances that no plan can bring back.
std::string lost_note(const PageContent& content) {
  std::vector<GroupIndex> groups;
  for (const GroupOutcome& g : content.plan->plan.groups) groups.push_back(g.group);
  std::vector<std::string> names;
  for (const InstanceIndex i : instances_with_lost_data(content.plan->after, groups))
    names.push_back(instance_html(content.cluster, i));
  if (names.empty()) return "";
  return fmt::format("<p class=\"warn\"><b>Lost:</b> {}. All nodes that have their data are offline.</p>\n",
                     join_first(names, kMostEmptiedNamed));
}

std::string plan_tiles(const PageContent& content) {
  const Plan& plan = content.plan->plan;
  const PlanTotals& t = plan.totals;
  std::string tiles = "<ul class=\"tiles\">\n";
  tiles += tile("Moves", fmt::format("{}", t.steps));
  tiles += tile("Disk copied", amount_text(t.copied_mib));
  tiles += tile("Memory migrated", amount_text(t.migrated_mib));
  tiles += tile("Instances stopped", fmt::format("{}", t.stopped));
  tiles += tile(
      "Time", duration_text(t.seconds),
      fmt::format("in {}; {} one by one", counted(plan.waves.size(), "wave"), duration_text(t.seconds_one_by_one)));
  return tiles + "</ul>\n";
}

std::string outcome_table(const PageContent& content) {
  HtmlTable table("What the plan achieves",
                  {{"Group"}, {"Score", true}, {"Lower bound", true}, {"Grade", true}, {"Nodes not N+1", true}},
                  "compact");
  const auto& groups = content.plan->plan.groups;
  const std::size_t shown = std::min(groups.size(), kMostListedGroups);
  for (std::size_t g = 0; g < shown; ++g) {
    const GroupOutcome& o = groups[g];
    table.row(
        {{group_html(content.cluster, o.group)},
         {arrow(format_fixed(o.score.before, kPlanScoreDecimals), format_fixed(o.score.after, kPlanScoreDecimals))},
         {format_fixed(o.lower_bound, kPlanScoreDecimals)},
         {arrow(fmt::format("{}", o.grade.before), fmt::format("{}", o.grade.after))},
         {arrow(fmt::format("{}", o.not_n1.before), fmt::format("{}", o.not_n1.after))}});
  }
  return table.html() + left_out_note(groups.size() - shown, "group");
}

// Returns the nodes whose instances change, those first that the steps name most often.
std::vector<NodeIndex> touched_nodes(const Plan& plan) {
  std::map<NodeIndex, std::size_t> counts;
  for (const PlannedStep& step : plan.steps) {
    if (step.wave == 0) continue;
    for (const Placement& p : {step.step.before, step.step.after}) {
      if (!p.primary.is_none()) ++counts[p.primary];
      if (!p.secondary.is_none()) ++counts[p.secondary];
    }
  }
  std::vector<NodeIndex> nodes;
  for (const auto& [node, count] : counts) nodes.push_back(node);
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return counts.at(a) > counts.at(b); });
  return nodes;
}

std::string waves_chart(const PageContent& content) {
  const PagePlan& shown = *content.plan;
  if (shown.timeline.empty() || !(shown.plan.totals.seconds > 0.0)) return "";
  std::map<NodeIndex, TimeLine> lines;
  std::map<NodeIndex, double> busy;
  for (const TimedTransfer& t : shown.timeline) {
    const PlannedStep& step = shown.plan.steps[t.step - 1];
    const std::string hint =
        fmt::format("Step {}, wave {}: {} of {}, {} in {}", t.step, step.wave, t.transfer.is_disk ? "disks" : "memory",
                    escaped(content.cluster.instance(step.step.instance).facts->name, kMostNameCharacters),
                    amount_text(t.transfer.mib), duration_text(t.to - t.from));
    for (const NodeIndex n : {t.transfer.from, t.transfer.to}) {
      lines[n].spans.push_back({.from = t.from, .to = t.to, .hint = hint, .is_disk = t.transfer.is_disk});
      busy[n] += t.to - t.from;
    }
  }
  std::vector<NodeIndex> order;
  for (const auto& [node, seconds] : busy) order.push_back(node);
  std::stable_sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) { return busy.at(a) > busy.at(b); });
  const std::size_t count = std::min(order.size(), kMostTimeLines);
  constexpr std::size_t kMostLabelCharacters = 18;
  std::vector<TimeLine> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    TimeLine& line = lines.at(order[i]);
    line.label = escaped(content.cluster.node(order[i]).facts->alias, kMostLabelCharacters);
    drawn.push_back(std::move(line));
  }
  std::vector<double> bounds{0.0};
  for (const Wave& wave : shown.plan.waves) bounds.push_back(bounds.back() + wave.seconds);
  return fmt::format(
             "<h3>Copies over time</h3>\n<p class=\"note\">Each line is a node and shows the copies that it takes part "
             "in. Vertical lines separate the waves.</p>\n<ul class=\"legend\">{}{}</ul>\n<div class=\"wide\" "
             "role=\"region\" tabindex=\"0\" aria-label=\"Time chart of the plan\">{}</div>\n",
             legend_entry("u", "disks"), legend_entry("y", "memory"),
             time_chart(
                 drawn, bounds, shown.plan.totals.seconds,
                 fmt::format("Time chart: {} in {}, {}", counted(shown.timeline.size(), "copy operation"),
                             counted(shown.plan.waves.size(), "wave"), duration_text(shown.plan.totals.seconds)))) +
         left_out_note(order.size() - count, "node");
}

std::string before_and_after_table(const PageContent& content) {
  const std::vector<NodeIndex> nodes = touched_nodes(content.plan->plan);
  if (nodes.empty()) return "";
  const std::array<AmountUnit, 3> units = units_of_nodes(content);
  std::vector<HtmlColumn> columns{{"Node"}};
  add_resource_columns(columns, units, "bars two");
  columns.push_back({"Primary", true});
  const auto secondaries = [&](NodeIndex n) {
    return content.cluster.node(n).secondaries.size() + content.plan->after.node(n).secondaries.size();
  };
  const bool has_secondaries = std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex n) { return secondaries(n) > 0; });
  if (has_secondaries) columns.push_back({"Secondary", true});
  HtmlTable table("Nodes before (upper bar) and after (lower bar) the plan", columns, "sort");
  const std::size_t shown = std::min(nodes.size(), kMostListedNodes / 2);
  for (std::size_t i = 0; i < shown; ++i) {
    const Node& before = content.cluster.node(nodes[i]);
    const Node& after = content.plan->after.node(nodes[i]);
    std::vector<HtmlCell> cells{{node_html(content.cluster, nodes[i])}};
    for (const BarResource resource : kBarResources) {
      const AmountUnit& unit = units[static_cast<std::size_t>(resource)];
      const Usage end = usage_of(after, resource);
      cells.push_back({usage_html(usage_of(before, resource), resource, unit) + usage_html(end, resource, unit),
                       fmt::format("{:.4f}", end.committed_share())});
    }
    cells.push_back({arrow(fmt::format("{}", before.primaries.size()), fmt::format("{}", after.primaries.size()))});
    if (has_secondaries) {
      cells.push_back(
          {arrow(fmt::format("{}", before.secondaries.size()), fmt::format("{}", after.secondaries.size()))});
    }
    table.row(cells);
  }
  return table.html() + left_out_note(nodes.size() - shown, "node");
}

std::string refusal_html(const PageContent& content, const PlannedStep& step) {
  if (!step.verdict || *step.verdict == Verdict::Ok) return "";
  std::string html = fmt::format("<span class=\"flag bad\">{}</span> ", name(*step.verdict));
  if (step.refusal && step.refusal->refusal) {
    html += escaped(refusal_sentence(content.cluster, content.cluster.instance(step.step.instance).facts->name,
                                     *step.refusal->refusal));
  }
  return html;
}

std::string moves_table(const PageContent& content) {
  const Plan& plan = content.plan->plan;
  HtmlTable table("Moves, in an order in which they can be made",
                  {{"Step", true},
                   {"Wave", true},
                   {"Instance", false, "name"},
                   {"From"},
                   {"To"},
                   {"Copies", true},
                   {"Score", true},
                   {"Reason"}},
                  "sort broad");
  const std::size_t shown = std::min(plan.steps.size(), kMostMoves);
  for (std::size_t s = 0; s < shown; ++s) {
    const PlannedStep& step = plan.steps[s];
    const bool is_made = step.wave > 0;
    const std::string mandatory = step.mandatory ? "<b>mandatory</b>: " : "";
    table.row({{fmt::format("{}", step.number)},
               {is_made ? fmt::format("{}", step.wave) : "–"},
               {instance_html(content.cluster, step.step.instance)},
               {placement_html(content.cluster, step.step.before.primary, step.step.before.secondary)},
               {placement_html(content.cluster, step.step.after.primary, step.step.after.secondary)},
               {is_made ? amount_text(step.cost.copied_mib + step.cost.migrated_mib) : "–",
                fmt::format("{}", step.cost.copied_mib + step.cost.migrated_mib)},
               {is_made ? format_fixed(step.step.score, kPlanScoreDecimals) : "–"},
               {is_made ? mandatory + escaped(step.reason) : refusal_html(content, step)}});
  }
  return table.html() + left_out_note(plan.steps.size() - shown, "move");
}

}  // namespace

std::string plan_section(const PageContent& content) {
  if (!content.plan) return "";
  const Plan& plan = content.plan->plan;
  std::string html = fmt::format("<p>The plan in {}.</p>\n", name_html(content.plan->source));
  const auto bad = std::count_if(plan.steps.begin(), plan.steps.end(), [](const PlannedStep& step) {
    return step.verdict == Verdict::Refused || step.verdict == Verdict::Stale;
  });
  html += emptied_note(content);
  html += lost_note(content);
  if (bad > 0) {
    html += fmt::format(
        "<p class=\"warn\"><b>{} of {} cannot be made as {}.</b> Numbers and pictures show what remains.</p>\n", bad,
        counted(plan.steps.size(), "step"), bad == 1 ? "it stands" : "they stand");
  }
  if (plan.steps.empty() && !content.plan->choices.plans.empty() && !content.plan->choices.chosen)
    return html + choices_html(content);
  if (plan.steps.empty()) return html + "<p>It has no moves.</p>\n";
  return html + plan_tiles(content) + outcome_table(content) + choices_html(content) + waves_chart(content) +
         before_and_after_table(content) + moves_table(content);
}

}  // namespace htools
