#include "cluster/rule_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace htools {
namespace {

// Takes `word` and the colon behind it off the front of the text, if they are there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with(':')) return false;
  text.remove_prefix(word.size() + 1);
  return true;
}

// Takes "NAME=VALUE:" off the front of the text. A value may begin with "tag:".
std::optional<std::string_view> take_value(std::string_view& text, std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  const std::string_view rest = text.substr(name.size());
  const std::size_t end = rest.find(':', rest.starts_with("tag:") ? 4 : 0);
  if (end == std::string_view::npos) return std::nullopt;
  text = rest.substr(end + 1);
  return rest.substr(0, end);
}

// Returns the rule that the tag says; nothing if it says none.
std::optional<PlacementRule> rule_of(std::string_view tag) {
  if (!tag.starts_with(kRuleTagPrefix)) return std::nullopt;
  PlacementRule rule{.is_from_tags = true};
  const std::optional<std::string_view> rest = read_rule_head(tag.substr(kRuleTagPrefix.size()), rule);
  if (!rest || rest->empty()) return std::nullopt;
  tag = *rest;
  if (rule.kind == RuleKind::RunOn || rule.kind == RuleKind::NotOn) {
    const std::size_t sign = tag.rfind('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == tag.size()) return std::nullopt;
    rule.nodes = {fmt::format("tag:{}", tag.substr(sign + 1))};
    tag = tag.substr(0, sign);
  }
  rule.name = tag;
  rule.instances = {fmt::format("tag:{}", tag)};
  return rule;
}

}  // namespace

std::optional<std::string_view> read_rule_head(std::string_view text, PlacementRule& rule) {
  const auto* const kind =
      std::ranges::find_if(kRuleKindNames, [&](std::string_view kind_name) { return take(text, kind_name); });
  if (kind == kRuleKindNames.end()) return std::nullopt;
  rule.kind = static_cast<RuleKind>(kind - kRuleKindNames.begin());
  if (take(text, "should")) rule.strength = RuleStrength::Should;
  if (const auto across = take_value(text, "across=")) rule.across = *across;
  if (const auto at_most = take_value(text, "at_most=")) {
    std::int64_t count = -1;
    const auto [end, error] = std::from_chars(at_most->data(), at_most->data() + at_most->size(), count);
    if (error != std::errc() || end != at_most->data() + at_most->size() || count < 0) return std::nullopt;
    rule.at_most = count;
  }
  return text;
}

std::string rule_tag(const PlacementRule& rule, std::string_view tag, std::string_view node_tag) {
  return fmt::format("{}{}:{}{}{}{}{}", kRuleTagPrefix, name(rule.kind),
                     rule.strength == RuleStrength::Should ? "should:" : "",
                     rule.across.empty() ? "" : fmt::format("across={}:", rule.across),
                     rule.at_most ? fmt::format("at_most={}:", *rule.at_most) : "", tag,
                     node_tag.empty() ? "" : fmt::format("={}", node_tag));
}

std::string name_of_rule_tag(std::string_view tag) {
  const std::optional<PlacementRule> rule = rule_of(tag);
  return rule ? rule->name : "";
}

std::vector<PlacementRule> rules_of_tags(const Cluster& cluster, std::vector<std::string>& wrong) {
  std::vector<PlacementRule> rules;
  for (const std::string& tag : cluster.tags) {
    if (!tag.starts_with(kRuleTagPrefix)) continue;
    if (auto rule = rule_of(tag)) {
      rules.push_back(std::move(*rule));
    } else {
      wrong.push_back(fmt::format(
          "the tag {} of the cluster says no rule (expected "
          "htools:rule:run-on|not-on|stay|apart|together[:should][:across=PREFIX][:at_most=N]:TAG, and TAG=NODETAG at "
          "its end for run-on and not-on)",
          tag));
    }
  }
  const bool some_stay = std::ranges::any_of(cluster.instances, [](const Instance& i) {
    return std::ranges::any_of(i.facts->tags, [](std::string_view tag) { return tag == kStayTag; });
  });
  if (some_stay) {
    rules.push_back({.kind = RuleKind::Stay,
                     .name = std::string(kStayTag),
                     .instances = {fmt::format("tag:{}", kStayTag)},
                     .is_from_tags = true});
  }
  return rules;
}

}  // namespace htools
