#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// Returns an amount of a resource with its unit. Documents of others may say anything.
std::string quantity_html(double value, std::string_view resource, bool is_exact = false) {
  constexpr double kMost = 9e18;
  if (!(std::abs(value) < kMost)) return "–";
  if (resource == "cpus" || resource == "vcpus") return fmt::format("{}", static_cast<std::int64_t>(value));
  return is_exact ? exact_amount_text(value) : amount_text(value);
}

// Returns the name of a resource as the beginning of a sentence.
std::string resource_title(std::string_view resource) { return capitalised(resource_html(resource)); }

// Returns amounts of a resource that are compared, exactly if they would look the same otherwise.
template <std::size_t Count>
std::array<std::string, Count> compared_html(const std::array<double, Count>& values, std::string_view resource) {
  std::array<std::string, Count> texts;
  const bool is_exact = look_alike(values);
  for (std::size_t i = 0; i < Count; ++i) texts[i] = quantity_html(values[i], resource, is_exact);
  return texts;
}

std::string month_html(const std::optional<std::int64_t>& month) {
  return month ? fmt::format("month {}", *month) : "–";
}

std::string where_html(const std::string& group) { return group.empty() ? "All groups" : name_html(group); }

// `months` is how far a forecast goes; 0 if there is none.
std::string purchase_tile(const PurchaseFacts& purchase, std::size_t months) {
  const std::string size = fmt::format("of {} memory, {} disk, {} CPUs", amount_text(purchase.memory_mib),
                                       amount_text(purchase.disk_mib), purchase.cpus);
  if (!purchase.nodes) return tile("Nodes to buy", "–", "no number of nodes " + size + " was found that helps");
  const std::string when = months == 0 ? "" : fmt::format(" for all {}", counted(months, "month"));
  return tile("Nodes to buy", fmt::format("{}", *purchase.nodes),
              fmt::format("{}{}; fewer than {} cannot be enough", size, when, purchase.bound));
}

// Returns the answer in a few numbers.
std::string growth_tiles(const GrowthFacts& growth) {
  std::string tiles = "<ul class=\"tiles\">\n";
  tiles += tile("Further instances that fit", fmt::format("{}", growth.fits),
                growth.wanted ? fmt::format("of {} wanted", *growth.wanted) : "of the present mix");
  if (growth.bound) tiles += tile("Bound", fmt::format("{}", *growth.bound), "no placement whatever has room for more");
  if (growth.forecast) {
    const GrowthForecast& forecast = *growth.forecast;
    tiles += tile("Full", forecast.full_in ? month_html(forecast.full_in) : "not yet",
                  forecast.full_bound ? fmt::format("{} at the latest", month_html(forecast.full_bound))
                                      : fmt::format("within {}", counted(forecast.wanted.size(), "month")));
  }
  if (growth.purchase) tiles += purchase_tile(*growth.purchase, growth.forecast ? growth.forecast->wanted.size() : 0);
  if (growth.nodes && growth.nodes_must_stay) {
    tiles += tile("Nodes that must stay", fmt::format("{}", *growth.nodes_must_stay),
                  fmt::format("of {}, at least, for what is there now", *growth.nodes));
  }
  return tiles + "</ul>\n";
}

// Returns what stands in the way first, as a sentence without a full stop.
std::string obstacle_html(const GrowthObstacleFacts& obstacle) {
  std::string html = resource_html(obstacle.kind);
  if (obstacle.needed && obstacle.free) {
    const std::string of = obstacle.resource == obstacle.kind ? ""
                           : obstacle.resource == "cpus"      ? " CPUs"
                                                              : " of " + resource_html(obstacle.resource);
    const auto [needed, free, piece] =
        compared_html(std::array{*obstacle.needed, *obstacle.free, obstacle.largest_piece.value_or(*obstacle.free)},
                      obstacle.resource);
    html += fmt::format(": {}{} needed, {} free in sum", needed, of, free);
    if (obstacle.largest_piece) {
      html += fmt::format(", at most {} on one node", piece);
    }
  }
  if (!obstacle.detail.empty()) html += ": " + escaped(obstacle.detail);
  return html;
}

std::string groups_table(const std::vector<GrowthFacts>& growth) {
  HtmlTable table("How far the workload grows", {{"Group"},
                                                 {"Present", true},
                                                 {"Wanted", true},
                                                 {"Fit", true},
                                                 {"Bound", true},
                                                 {"Nodes to buy", true},
                                                 {"What runs out first"}});
  const auto number = [](const std::optional<std::int64_t>& n) { return n ? fmt::format("{}", *n) : "–"; };
  const std::size_t shown = std::min(growth.size(), kMostListedGroups);
  for (std::size_t g = growth.size() - shown; g < growth.size(); ++g) {  // the last one is about all
    const GrowthFacts& group = growth[g];
    const bool is_full = group.obstacle.has_value();
    table.row({{where_html(group.group)},
               {number(group.present)},
               {group.wanted ? number(group.wanted) : "as many as fit"},
               {fmt::format("<b>{}</b>", group.fits)},
               {number(group.bound)},
               {group.purchase ? number(group.purchase->nodes) : "–"},
               {is_full ? obstacle_html(*group.obstacle) : "nothing: all of them fit"}});
  }
  return table.html() + left_out_note(growth.size() - shown, "group");
}

// Returns the remarks about an answer: the first instance without a place, groups that take nothing, few nodes.
std::string remarks_html(const GrowthFacts& growth) {
  std::string html;
  if (growth.obstacle && !growth.obstacle->instance.empty()) {
    html += fmt::format("<p>The first instance without a place has {}.</p>\n", escaped(growth.obstacle->instance));
  }
  const std::size_t named = std::min(growth.unsafe_groups.size(), kMostLocations);
  if (named > 0) {
    std::vector<std::string> names;
    for (std::size_t g = 0; g < named; ++g) names.push_back(name_html(growth.unsafe_groups[g]));
    html += fmt::format(
        "<p class=\"warn\"><b>These node groups take nothing</b>, because they could not lose one of their nodes even "
        "now: {}{}.</p>\n",
        join(names, ", "), named < growth.unsafe_groups.size() ? ", …" : "");
  }
  if (growth.nodes_must_stay) {
    html +=
        "<p class=\"note\">Whether so few nodes are enough for the instances of now is not known. <code>hplan "
        "--retire=max</code> looks for nodes that can go.</p>\n";
  }
  return html;
}

std::string resources_table(const GrowthFacts& growth) {
  if (growth.resources.empty()) return "";
  HtmlTable table("What is needed and what is free, in all",
                  {{"Resource"}, {"Needed", true}, {"Free", true}, {"Bound on instances", true}}, "compact");
  const std::size_t shown = std::min(growth.resources.size(), kMostLocations);
  for (std::size_t i = 0; i < shown; ++i) {
    const GrowthResourceFacts& r = growth.resources[i];
    const auto [needed, free] = compared_html(std::array{r.needed, r.free.value_or(r.needed)}, r.unit);
    table.row({{resource_title(r.resource)},
               {needed},
               {r.free ? free : "no limit"},
               {r.bound ? fmt::format("{}", *r.bound) : "no limit"}});
  }
  return table.html();
}

std::string sizes_table(const GrowthFacts& growth) {
  if (growth.sizes.empty()) return "";
  const bool is_asked = growth.wanted.has_value();
  std::vector<HtmlColumn> columns{
      {"Disk template"}, {"Memory", true}, {"Disk", true}, {"vCPUs", true}, {"Present", true}};
  if (is_asked) columns.push_back({"Wanted", true});
  columns.push_back({"Fit", true});
  HtmlTable table("Sizes of the instances", columns, "sort compact");
  const std::size_t shown = std::min(growth.sizes.size(), kMostWorstNodes);
  for (std::size_t i = 0; i < shown; ++i) {
    const GrowthSizeFacts& s = growth.sizes[i];
    std::vector<HtmlCell> cells{{escaped(s.disk_template, kMostNameCharacters)},
                                {amount_text(s.size.memory), fmt::format("{}", s.size.memory)},
                                {amount_text(s.size.disk), fmt::format("{}", s.size.disk)},
                                {fmt::format("{}", s.size.vcpus)},
                                {fmt::format("{}", s.present)}};
    if (is_asked) cells.push_back({fmt::format("{}", s.wanted.value_or(0))});
    cells.push_back({fmt::format("<b>{}</b>", s.fits)});
    table.row(cells);
  }
  return table.html() + left_out_note(growth.sizes.size() - shown, "size");
}

std::string after_plan_table(const GrowthFacts& growth) {
  if (!growth.after_plan && !growth.after_defragmenting) return "";
  HtmlTable table(
      "What fits if hplan moves instances first",
      {{"First"}, {"Fit", true}, {"Bound", true}, {"Moves", true}, {"Disk copied", true}, {"Memory migrated", true}},
      "compact");
  table.row({{"Nothing"},
             {fmt::format("{}", growth.fits)},
             {growth.bound ? fmt::format("{}", *growth.bound) : "–"},
             {"0"},
             {amount_text(std::int64_t{0})},
             {amount_text(std::int64_t{0})}});
  const auto add = [&](std::string_view first, const std::optional<AfterPlanFacts>& after) {
    if (!after) return;
    table.row(
        {{after->option.empty() ? std::string(first)
                                : fmt::format("<code>hplan {}</code>", escaped(after->option, kMostNameCharacters))},
         {fmt::format("<b>{}</b>", after->fits)},
         {fmt::format("{}", after->bound)},
         {fmt::format("{}", after->moves)},
         {amount_text(after->copied_mib), fmt::format("{}", after->copied_mib)},
         {amount_text(after->migrated_mib), fmt::format("{}", after->migrated_mib)}});
  };
  add("Balance", growth.after_plan);
  add("Defragment", growth.after_defragmenting);
  return table.html();
}

// Returns a chart with its title, in a region that scrolls on narrow screens.
std::string figure_html(const std::string& title, std::string_view label, const std::string& chart) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}"
      "</div></figure>\n",
      title, label, chart);
}

// Adds the lines of what fits and of the bound.
void add_limits(PointChart& chart, double fits, const std::optional<double>& bound) {
  const bool is_exact = bound && *bound == fits;
  chart.limits.push_back({fits, is_exact ? "what fits, and the bound of any placement" : "what fits"});
  if (bound && !is_exact) chart.limits.push_back({*bound, "bound of any placement"});
}

std::string forecast_chart(const GrowthFacts& growth) {
  if (!growth.forecast || growth.forecast->wanted.empty()) return "";
  constexpr std::size_t kMostDrawnMonths = 1200;
  const GrowthForecast& forecast = *growth.forecast;
  const auto present = static_cast<double>(growth.present.value_or(0));
  PointChart chart{
      .points = {}, .x_title = "month", .y_title = "instances", .whole_x = true, .whole_y = true, .joined = true};
  chart.points.push_back({.x = 0.0, .y = present, .hint = "now"});
  for (std::size_t m = 0; m < std::min(forecast.wanted.size(), kMostDrawnMonths); ++m) {
    const double count = present + forecast.wanted[m];
    const auto month = static_cast<std::int64_t>(m) + 1;
    chart.points.push_back({.x = static_cast<double>(month),
                            .y = count,
                            .hint = fmt::format("month {}: {} instances", month, format_fixed(count, 0)),
                            .is_marked = forecast.full_in == month});
  }
  add_limits(chart, present + static_cast<double>(growth.fits),
             growth.bound ? std::optional(present + static_cast<double>(*growth.bound)) : std::nullopt);
  const std::string full = forecast.full_in
                               ? fmt::format("The cluster is full in month {}", *forecast.full_in)
                               : fmt::format("The cluster is not full within {} months", forecast.wanted.size());
  const std::string title =
      fmt::format("{} if it grows by {} % a month.", full, format_fixed(forecast.percent_per_month, 1));
  return figure_html(title, "Forecast", point_chart(chart, fmt::format("Growth forecast. {}.", full)));
}

std::string months_table(const GrowthFacts& growth) {
  if (!growth.forecast || growth.forecast->resources.empty()) return "";
  const auto& resources = growth.forecast->resources;
  HtmlTable table("What runs out when", {{"Resource"}, {"Found to run out", true}, {"At the latest", true}}, "compact");
  const std::size_t shown = std::min(resources.size(), kMostLocations);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(
        {{resource_title(resources[i].resource)}, {month_html(resources[i].found)}, {month_html(resources[i].bound)}});
  }
  return table.html();
}

std::string runs_chart(const GrowthFacts& growth) {
  if (!growth.runs || growth.runs->shares.empty()) return "";
  const GrowthRunsFacts& runs = *growth.runs;
  PointChart chart{.points = {},
                   .x_title = "share of the runs in which no more fit, %",
                   .y_title = "instances that fit",
                   .whole_y = true,
                   .joined = true,
                   .begins_at_zero = false};
  for (std::size_t i = 0; i < std::min(runs.shares.size(), kMostChoices); ++i) {
    const RunShare& share = runs.shares[i];
    const double percent = std::clamp(share.percent, 0.0, 100.0);
    chart.points.push_back(
        {.x = percent,
         .y = static_cast<double>(share.fits),
         .hint = fmt::format("in {} % of the runs no more than {} fit", format_fixed(percent, 0), share.fits),
         .label = fmt::format("{}", share.fits)});
  }
  std::string title = fmt::format("What {} in random order lead to.", counted(runs.count, "run"));
  if (growth.wanted) title += fmt::format(" All instances fit in {} of them.", runs.all_fit);
  return figure_html(title, "Random orders", point_chart(chart, escaped(title)));
}

}  // namespace

std::string resource_html(std::string_view resource) {
  if (resource == "n+1" || resource == "n1") return "N+1";
  if (resource == "cpus" || resource == "cpu") return "CPUs";
  return escaped(resource, kMostNameCharacters);
}

std::string growth_html(const CapacityFacts& facts) {
  if (facts.growth.empty()) return "";
  const GrowthFacts& all = facts.growth.back();
  return growth_tiles(all) + groups_table(facts.growth) + remarks_html(all) + forecast_chart(all) + months_table(all) +
         resources_table(all) + sizes_table(all) + after_plan_table(all) + runs_chart(all);
}

std::string inflation_html(const CapacityFacts& facts) {
  if (facts.inflation.empty()) return "";
  constexpr int kDecimals = 3;
  const auto factor = [](const std::optional<double>& f) { return f ? format_fixed(*f, kDecimals) : "no limit"; };
  HtmlTable table("By which factor all instances may grow where they are",
                  {{"Group"}, {"Factor", true}, {"Bound", true}, {"What runs out first"}}, "compact");
  const std::size_t shown = std::min(facts.inflation.size(), kMostListedGroups);
  for (std::size_t g = facts.inflation.size() - shown; g < facts.inflation.size(); ++g) {
    const InflationFacts& answer = facts.inflation[g];
    std::string limit = "nothing";
    if (!answer.resource.empty()) {
      limit = fmt::format("{} on node {}", resource_html(answer.resource), name_html(answer.node));
      if (answer.needed && answer.available) {
        const auto [needed, there] = compared_html(std::array{*answer.needed, *answer.available}, answer.resource);
        limit += fmt::format(": {} needed, {} there", needed, there);
      }
      if (!answer.detail.empty()) limit += ": " + escaped(answer.detail);
    }
    table.row({{where_html(answer.group)},
               {fmt::format("<b>{}</b>", factor(answer.factor))},
               {factor(answer.bound)},
               {limit}});
  }
  return table.html() + left_out_note(facts.inflation.size() - shown, "group");
}

}  // namespace htools
