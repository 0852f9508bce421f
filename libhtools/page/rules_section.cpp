#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/rule_explanation.h"
#include "page/html.h"
#include "page/sections.h"
#include "report/diagnosis_text.h"

namespace htools {
namespace {

std::string state_html(const RuleStanding& standing, bool binds) {
  if (standing.extent.broken == 0) return "kept";
  return binds ? "<b>broken</b>" : "missed";
}

// Returns the rules one per row, those that are broken first.
std::string rules_table(const Cluster& cluster, std::vector<RuleStanding> rules) {
  std::ranges::stable_sort(rules, {}, [](const RuleStanding& s) { return s.extent.broken == 0; });
  HtmlTable table("Rules about where instances may be",
                  {{"Rule"}, {"Kind"}, {"State"}, {"Instances", true}, {"Which"}, {"Broken by"}}, "sort");
  const std::size_t shown = std::min(rules.size(), kMostRules);
  for (std::size_t r = 0; r < shown; ++r) {
    const RuleStanding& standing = rules[r];
    const ResolvedRule& rule = cluster.rule_book->rule(standing.rule);
    const std::string name_and_reason =
        rule.given.reason.empty() ? name_html(rule.given.name)
                                  : name_html(rule.given.name) + " (" + sentence_html(rule.given.reason) + ")";
    table.row({{name_and_reason},
               {fmt::format("{}{}", rule.binds() ? "" : "should ", name(rule.given.kind))},
               {state_html(standing, rule.binds())},
               {fmt::format("{}", standing.instances.size())},
               {sentence_html(names_text(cluster, standing.instances))},
               {sentence_html(names_text(cluster, standing.offenders))}});
  }
  return table.html() + left_out_note(rules.size() - shown, "rule");
}

std::string note(const std::string& text) { return fmt::format("<p class=\"note\">{}</p>\n", sentence_html(text)); }

}  // namespace

std::string rules_section(const PageContent& content) {
  const Cluster& cluster = content.cluster;
  if (!cluster.rule_book) return "";
  const RuleExplanation explanation = explain_rules(cluster);
  std::string html = rules_table(cluster, explanation.rules);
  for (const std::vector<std::uint32_t>& set : explanation.contradictions) {
    std::vector<std::string> names;
    for (const std::uint32_t number : set) names.push_back(cluster.rule_book->rule(number).given.name);
    html += note(fmt::format("No placement keeps {}: {}.", set.size() == 1 ? "this rule" : "these rules together",
                             join(names, ", ")));
  }
  if (!explanation.bound.empty()) {
    html += note(fmt::format("Bound to their nodes by their rules: {}.", names_text(cluster, explanation.bound)));
  }
  return html;
}

}  // namespace htools
