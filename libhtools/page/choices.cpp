#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/durations.h"
#include "base/strings.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// What the plans pay with: copied disk, or moves if none of them copies any.
struct PriceAxis {
  bool is_disk = false;
  AmountUnit unit;

  double of(const PlanChoiceRow& plan) const {
    return is_disk ? static_cast<double>(plan.totals.copied_mib) / unit.size : static_cast<double>(plan.totals.steps);
  }
  std::string title() const { return is_disk ? fmt::format("disk copied, {}", unit.name) : "moves"; }
};

PriceAxis price_axis(const std::vector<PlanChoiceRow>& plans) {
  std::int64_t most = 0;
  for (const PlanChoiceRow& plan : plans) most = std::max(most, plan.totals.copied_mib);
  return {.is_disk = most > 0, .unit = unit_for(BarResource::Disk, static_cast<double>(most))};
}

// Returns the score before any plan, and its lower bound, of the node groups that the scores of the plans are about;
// nothing if the page is not about all of them.
std::optional<BeforeAndAfter<double>> score_and_bound(const PageContent& content) {
  const std::vector<std::string>& names = content.plan->choices.groups;
  BeforeAndAfter<double> sum;
  std::size_t found = 0;
  for (const GroupOutcome& group : content.plan->plan.groups) {
    const bool is_one = std::ranges::find(names, content.cluster.group(group.group).name) != names.end();
    if (!is_one) continue;
    ++found;
    sum.before += group.score.before;
    sum.after += group.lower_bound;
  }
  return found > 0 && found == names.size() ? std::optional(sum) : std::nullopt;
}

std::string choices_chart(const PageContent& content, const PlanChoices& choices) {
  const PriceAxis price = price_axis(choices.plans);
  PointChart chart{.points = {},
                   .x_title = price.title(),
                   .y_title = "score (lower is better)",
                   .whole_x = !price.is_disk,
                   .begins_at_zero = false};
  if (const auto score = score_and_bound(content); score && content.plan->is_of_this_state) {
    chart.points.push_back({.x = 0.0, .y = score->before, .hint = "The state without any moves", .label = "now"});
    chart.limits.push_back({score->after, "lower bound of any plan"});
  }
  for (const PlanChoiceRow& plan : choices.plans) {
    const PlanTotals& t = plan.totals;
    chart.points.push_back({.x = price.of(plan),
                            .y = plan.score,
                            .hint = fmt::format("Plan {}: score {}, {}, {} copied, {}", plan.choice,
                                                format_fixed(plan.score, kPlanScoreDecimals), counted(t.steps, "move"),
                                                amount_text(t.copied_mib), duration_text(t.seconds)),
                            .is_marked = choices.chosen == plan.choice,
                            .label = fmt::format("{}", plan.choice)});
  }
  return point_chart(chart, fmt::format("Scores of {} over what they cost", counted(choices.plans.size(), "plan")));
}

std::string choices_table(const PlanChoices& choices) {
  HtmlTable table(
      "Plans to choose from",
      {{"Plan"}, {"Score", true}, {"Moves", true}, {"Disk copied", true}, {"Memory migrated", true}, {"Time", true}},
      "sort compact");
  for (const PlanChoiceRow& plan : choices.plans) {
    const PlanTotals& t = plan.totals;
    const bool is_chosen = choices.chosen == plan.choice;
    table.row({{fmt::format("{}{}{}", plan.choice, is_chosen ? " <span class=\"flag\">chosen</span>" : "",
                            plan.is_knee ? " <span class=\"flag\">knee</span>" : ""),
                fmt::format("{}", plan.choice)},
               {format_fixed(plan.score, kPlanScoreDecimals)},
               {fmt::format("{}", t.steps)},
               {amount_text(t.copied_mib), fmt::format("{}", t.copied_mib)},
               {amount_text(t.migrated_mib), fmt::format("{}", t.migrated_mib)},
               {duration_text(t.seconds), fmt::format("{:.0f}", t.seconds)}});
  }
  return table.html();
}

}  // namespace

std::string choices_html(const PageContent& content) {
  const PagePlan& shown = *content.plan;
  PlanChoices choices = shown.choices;
  if (choices.plans.empty()) return "";
  const std::size_t all = choices.plans.size();
  choices.plans.resize(std::min(all, kMostChoices));
  std::string html = "<h3>What there is to choose from</h3>\n";
  if (!shown.is_of_this_state) {
    html +=
        "<p class=\"warn\"><b>These plans were made for another state of the cluster:</b> instances have moved, or "
        "nodes have changed, since then.</p>\n";
  }
  html += fmt::format(
      "<p class=\"note\">None of these plans is beaten by another one in score, moves, copied disk and time at once. "
      "At a knee, more effort begins to gain little. {}</p>\n",
      choices.chosen ? fmt::format("Plan {} was chosen; it is the large point of the chart.", *choices.chosen)
                     : "None of them has been chosen yet: <code>hplan --choose=N</code> makes plan N.");
  return html +
         fmt::format(
             "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Chart of the plans to choose "
             "from\">{}</div>\n",
             choices_chart(content, choices)) +
         choices_table(choices) + left_out_note(all - choices.plans.size(), "plan");
}

}  // namespace htools
