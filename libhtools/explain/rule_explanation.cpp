#include "explain/rule_explanation.h"

#include <algorithm>

#include "explain/rule_conflicts.h"

namespace htools {

bool RuleExplanation::are_kept(const Cluster& cluster) const {
  return std::ranges::none_of(rules, [&](const RuleStanding& standing) {
    return standing.extent.broken > 0 && cluster.rule_book->rule(standing.rule).binds();
  });
}

RuleExplanation explain_rules(const Cluster& cluster) {
  RuleExplanation explanation;
  if (!cluster.rule_book) return explanation;
  const std::vector<ResolvedRule>& rules = cluster.rule_book->rules();
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    explanation.rules.push_back({.rule = number,
                                 .instances = rules[number].instances,
                                 .extent = extent_of(cluster, rules[number]),
                                 .offenders = offenders(cluster, rules[number])});
  }
  explanation.contradictions = contradictions(cluster);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (is_bound(cluster, InstanceIndex(i))) explanation.bound.emplace_back(i);
  }
  return explanation;
}

}  // namespace htools
