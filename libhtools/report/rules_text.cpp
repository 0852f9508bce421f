#include "report/rules_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/strings.h"
#include "report/diagnosis_text.h"

namespace htools {
namespace {

std::string names_of_rules(const Cluster& cluster, const std::vector<std::uint32_t>& numbers) {
  std::vector<std::string> names;
  for (const std::uint32_t number : numbers) names.push_back(cluster.rule_book->rule(number).given.name);
  return join(names, ", ");
}

}  // namespace

std::string rules_text(const Cluster& cluster, const RuleExplanation& explanation, bool in_full) {
  if (explanation.rules.empty()) return "There are no rules about where instances may be.\n";
  const std::size_t most = in_full ? std::numeric_limits<std::size_t>::max() : kMostNamesInSentence;
  std::string text;
  for (const RuleStanding& standing : explanation.rules) {
    const ResolvedRule& rule = cluster.rule_book->rule(standing.rule);
    const bool is_broken = standing.extent.broken > 0;
    text += fmt::format("{} {} ({}{}): {}{}\n",
                        !is_broken     ? "kept  "
                        : rule.binds() ? "broken"
                                       : "missed",
                        rule.given.name, rule.binds() ? "" : "should ", name(rule.given.kind),
                        standing.instances.empty() ? "no instances" : names_text(cluster, standing.instances, most),
                        rule.given.reason.empty() ? "" : fmt::format("; {}", rule.given.reason));
    if (!is_broken) continue;
    Finding finding{.kind = rule.binds() ? FindingKind::RuleBroken : FindingKind::RuleMissed,
                    .group = GroupIndex::none()};
    finding.rule = standing.rule;
    finding.instances = standing.offenders;
    for (const InstanceIndex i : standing.offenders) finding.nodes.push_back(cluster.instance(i).primary);
    std::ranges::sort(finding.nodes);
    finding.nodes.erase(std::unique(finding.nodes.begin(), finding.nodes.end()), finding.nodes.end());
    const std::string sentence = finding_text(cluster, finding, most);
    text += fmt::format("       {}\n", sentence.substr(sentence.find(": ") + 2));
  }
  for (const std::vector<std::uint32_t>& set : explanation.contradictions) {
    text += set.size() == 1
                ? fmt::format("The rule {} cannot be kept, whatever the placement.\n", names_of_rules(cluster, set))
                : fmt::format("These rules contradict each other: {}.\n", names_of_rules(cluster, set));
  }
  if (!explanation.bound.empty()) {
    text += fmt::format("Bound to their nodes by their rules: {}.\n", names_text(cluster, explanation.bound, most));
  }
  return text;
}

}  // namespace htools
