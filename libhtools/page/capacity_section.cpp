#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/amounts.h"
#include "base/strings.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

std::string size_text(const SimulatedSize& size) {
  return fmt::format("{} memory, {} disk, {}", amount_text(size.memory), amount_text(size.disk),
                     counted(size.vcpus, "vCPU"));
}

std::string optional_number(const std::optional<std::int64_t>& number) {
  return number ? fmt::format("{}", *number) : "–";
}

// A reason or rule of a document, and what the page calls it.
struct NamedReason {
  std::string_view code, name;
};
// The reasons stand for several rules each.
constexpr std::array<NamedReason, 4> kReasons{{{"memory", "memory"},
                                               {"disk", "disk, disk template or spindle ratio"},
                                               {"cpu", "CPUs"},
                                               {"spindles", "spindles"}}};
constexpr std::array<NamedReason, 10> kRules{{{"kept-disk", "disk that must stay free"},
                                              {"free-spindles", "spindles"},
                                              {"spindle-ratio", "spindle ratio of the policy"},
                                              {"vcpu-ratio", "vCPU ratio of the policy"},
                                              {"reservation", "memory reserved for N+1"},
                                              {"secondary-memory", "memory of the secondary"},
                                              {"secondary-reservation", "memory of the secondary"},
                                              {"exclusion-tags", "exclusion tags"},
                                              {"disk-template", "disk template outside the policy"},
                                              {"no-secondary", "no secondary"}}};

template <std::size_t kCount>
std::optional<std::string_view> name_in(const std::array<NamedReason, kCount>& table, std::string_view code) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const NamedReason& row) { return row.code == code; });
  return at == table.end() ? std::nullopt : std::optional(at->name);
}

std::string reason_html(std::string_view code) {
  if (const auto name = name_in(kReasons, code)) return std::string(*name);
  return resource_html(code);
}

// Returns the name of a rule. The bounds of policies have codes such as max-memory.
std::string rule_html(std::string_view code) {
  if (const auto name = name_in(kRules, code)) return std::string(*name);
  if (code.starts_with("min-") || code.starts_with("max-")) {
    return escaped(code.substr(4), kMostNameCharacters) + (code.starts_with("min-") ? " below" : " above") +
           " the policy";
  }
  return resource_html(code);
}

std::string failures_html(const CapacityAnswer& answer) {
  if (answer.refused) return "nothing may be placed: the cluster is not N+1 safe";
  std::vector<RefusalCount> failures = answer.rules.value_or(answer.failures);
  std::stable_sort(failures.begin(), failures.end(),
                   [](const RefusalCount& a, const RefusalCount& b) { return a.count > b.count; });
  std::string html;
  for (const RefusalCount& failure : failures) {
    html += fmt::format("{}{} ({})", html.empty() ? "" : ", ",
                        answer.rules ? rule_html(failure.reason) : reason_html(failure.reason), failure.count);
  }
  return html.empty() ? "–" : html;
}

std::string answers_table(const CapacityFacts& facts) {
  const bool has_bound = std::any_of(facts.answers.begin(), facts.answers.end(),
                                     [](const CapacityAnswer& a) { return a.bound.has_value(); });
  std::vector<HtmlColumn> columns{{"Instances"}, {"Fit", true}};
  if (has_bound) columns.push_back({"Bound", true});
  columns.push_back({"What stands in the way of one more (nodes or pairs)"});
  HtmlTable table(
      fmt::format(
          "Further instances{}",
          facts.disk_template.empty() ? "" : fmt::format(" on {}", escaped(facts.disk_template, kMostNameCharacters))),
      columns, "compact");
  for (const CapacityAnswer& answer : facts.answers) {
    std::vector<HtmlCell> cells{
        {fmt::format("{}: {}", answer.name == "standard" ? "Of one size" : "From large to small",
                     size_text(answer.size))},
        {fmt::format("<b>{}</b>", answer.fits)}};
    if (has_bound) cells.push_back({optional_number(answer.bound)});
    cells.push_back({failures_html(answer)});
    table.row(cells);
  }
  return table.html();
}

std::string tiers_table(const CapacityAnswer& answer) {
  if (answer.placed.size() < 2) return "";
  HtmlTable table("From large to small: what fits of which size",
                  {{"Size"}, {"Instances", true}, {"Share", false, "bars"}}, "compact");
  std::int64_t largest = 1;
  for (const PlacedSize& tier : answer.placed) largest = std::max(largest, tier.count);
  const std::size_t shown = std::min(answer.placed.size(), kMostWorstNodes);
  for (std::size_t i = 0; i < shown; ++i) {
    const PlacedSize& tier = answer.placed[i];
    table.row({{size_text(tier.size)},
               {fmt::format("{}", tier.count)},
               {share_bar(static_cast<double>(tier.count) / static_cast<double>(largest))}});
  }
  return table.html() + left_out_note(answer.placed.size() - shown, "size");
}

}  // namespace

std::string capacity_section(const PageContent& content) {
  std::string html;
  for (const PageCapacity& capacity : content.capacity) {
    const CapacityFacts& facts = capacity.facts;
    html += fmt::format("<p class=\"from\">From {}, made by {}.</p>\n", name_html(capacity.source),
                        escaped(facts.program, kMostNameCharacters));
    if (!capacity.is_of_this_state) {
      html +=
          "<p class=\"warn\"><b>This answer is about another state of the cluster:</b> instances have moved, or nodes "
          "have changed, since it was made.</p>\n";
    }
    if (!facts.answers.empty()) html += answers_table(facts);
    for (const CapacityAnswer& answer : facts.answers) html += tiers_table(answer);
    html += growth_html(facts) + inflation_html(facts);
    const bool is_empty = facts.answers.empty() && facts.growth.empty() && facts.inflation.empty();
    if (is_empty) html += "<p>It answers nothing.</p>\n";
  }
  return html;
}

}  // namespace htools
