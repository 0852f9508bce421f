#include "tests/support/literal_rules.h"

#include <algorithm>
#include <map>
#include <set>

#include "rules/move_application.h"

namespace htools::testing {
namespace {

bool is_named(const std::vector<std::string>& selectors, const std::string& name, const TagList& tags) {
  return std::any_of(selectors.begin(), selectors.end(), [&](const std::string& s) {
    if (s == "all" || s == name) return true;
    if (s.substr(0, 4) != "tag:") return false;
    return std::find(tags.begin(), tags.end(), std::string_view(s).substr(4)) != tags.end();
  });
}

bool is_named(const std::vector<std::string>& selectors, const Instance& i) {
  return is_named(selectors, i.facts->name, i.facts->tags);
}

// Returns the place of a node: its tag of the prefix, else its name.
std::string place_of(const Node& node, const std::string& across) {
  if (!across.empty()) {
    const std::string prefix = across.substr(4) + ":";
    for (const std::string tag : node.facts->tags) {
      if (tag.substr(0, prefix.size()) == prefix) return "tag " + tag;
    }
  }
  return "node " + node.facts->name;
}

}  // namespace

std::int64_t literally_broken(const Cluster& cluster, const PlacementRule& rule) {
  std::int64_t out_of_place = 0;
  std::map<std::string, std::int64_t> members, beside;
  for (const Instance& i : cluster.instances) {
    const auto is_listed = [&](NodeIndex n) {
      return is_named(rule.nodes, cluster.node(n).facts->name, cluster.node(n).facts->tags);
    };
    const auto is_wrong = [&](NodeIndex n) { return is_listed(n) == (rule.kind == RuleKind::NotOn); };
    const Node& primary = cluster.node(i.primary);
    if (is_named(rule.instances, i)) {
      const bool has_second = i.facts->has_secondary() && !i.secondary.is_none();
      out_of_place += is_wrong(i.primary) || (has_second && is_wrong(i.secondary)) ? 1 : 0;
      if (!primary.offline) ++members[place_of(primary, rule.across)];
    }
    if (is_named(rule.from, i) && !primary.offline) ++beside[place_of(primary, rule.across)];
  }
  switch (rule.kind) {
    case RuleKind::Stay:
      return 0;
    case RuleKind::RunOn:
    case RuleKind::NotOn:
      return out_of_place;
    case RuleKind::Together:
      return std::max<std::int64_t>(0, static_cast<std::int64_t>(members.size()) - 1);
    case RuleKind::Apart:
      break;
  }
  const std::int64_t most = rule.at_most.value_or(rule.from.empty() ? 1 : 0);
  std::int64_t too_many = 0;
  for (const auto& [place, count] : members) {
    if (rule.from.empty() || beside.count(place) > 0) too_many += std::max<std::int64_t>(0, count - most);
  }
  return too_many;
}

std::string broken_by_steps(Cluster cluster, const std::vector<BalanceStep>& steps) {
  const std::vector<PlacementRule> rules = cluster.placement_rules;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const BalanceStep& step = steps[s];
    const Instance& moved = cluster.instance(step.instance);
    std::vector<std::int64_t> before;
    for (const PlacementRule& rule : rules) {
      before.push_back(literally_broken(cluster, rule));
      if (rule.strength == RuleStrength::Should || !is_named(rule.instances, moved)) continue;
      const std::string where = "step " + std::to_string(s + 1) + ", rule " + rule.name;
      if (rule.kind == RuleKind::Stay) return where + ": it has to stay";
      if (rule.kind != RuleKind::RunOn && rule.kind != RuleKind::NotOn) continue;
      for (const NodeIndex n : {step.after.primary, step.after.secondary}) {
        if (n.is_none() || n == step.before.primary || n == step.before.secondary) continue;
        const Node& node = cluster.node(n);
        if (is_named(rule.nodes, node.facts->name, node.facts->tags) == (rule.kind == RuleKind::NotOn)) {
          return where + ": it comes to " + node.facts->name;
        }
      }
    }
    apply_move(cluster, step.instance, step.move);
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (rules[r].strength == RuleStrength::Must && literally_broken(cluster, rules[r]) > before[r]) {
        return "step " + std::to_string(s + 1) + " breaks rule " + rules[r].name + " more";
      }
    }
  }
  return "";
}

std::vector<PlacementRule> random_rules(Random& random, const Cluster& cluster) {
  std::vector<PlacementRule> rules;
  const auto some = [&](const auto& elements, std::size_t most) {
    std::set<std::string> names;
    const std::size_t count = 1 + random.index(most);
    for (std::size_t k = 0; k < count; ++k) names.insert(elements[random.index(elements.size())].facts->name);
    return std::vector<std::string>(names.begin(), names.end());
  };
  const std::int64_t count = random.between(1, 4);
  for (std::int64_t r = 0; r < count && !cluster.instances.empty(); ++r) {
    PlacementRule rule;
    rule.kind = static_cast<RuleKind>(random.index(kRuleKindNames.size()));
    rule.name = "r" + std::to_string(r);
    rule.instances = random.chance(20) ? std::vector<std::string>{"tag:svc:a"} : some(cluster.instances, 4);
    if (random.chance(20)) rule.strength = RuleStrength::Should;
    if (rule.kind == RuleKind::RunOn || rule.kind == RuleKind::NotOn) {
      rule.nodes = random.chance(20) ? std::vector<std::string>{"tag:power:a"} : some(cluster.nodes, 3);
    }
    if (rule.kind == RuleKind::Apart || rule.kind == RuleKind::Together) {
      if (random.chance(20)) rule.across = "tag:zone";
    }
    if (rule.kind == RuleKind::Apart && random.chance(25)) rule.from = some(cluster.instances, 2);
    if (rule.kind == RuleKind::Apart && random.chance(25)) rule.at_most = random.between(1, 2);
    rules.push_back(rule);
  }
  return rules;
}

}  // namespace htools::testing
