#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "base/suggestions.h"
#include "cluster/placement_rules.h"
#include "cluster/rule_tags.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

constexpr std::string_view kForm = "KIND[:should][:across=PREFIX][:at_most=N]:INSTANCES[:NODES]";
constexpr std::string_view kTag = "tag:";

// Returns the selectors of a list.
std::vector<std::string> selectors_in(std::string_view list) { return split(list, ','); }

// True if the cluster has what the selectors mean, which stand for instances, or for nodes.
bool are_known(const Workspace& workspace, const PlacementRule& rule) {
  if (rule.instances.empty() || rule.nodes.empty()) return false;
  const RuleBook book(workspace.cluster, {rule});
  const ResolvedRule& resolved = book.rule(0);
  return book.warnings().empty() && !resolved.instances.empty() &&
         std::ranges::find(resolved.nodes, true) != resolved.nodes.end();
}

// Sets the instances and nodes of a rule that has both. Names and tags may have colons, so the colon between them is
// the last one that makes the cluster have both.
void split_selectors(const Workspace& workspace, std::string_view text, PlacementRule& rule) {
  for (std::size_t at = text.rfind(':'); at != std::string_view::npos && at > 0; at = text.rfind(':', at - 1)) {
    rule.instances = selectors_in(text.substr(0, at));
    rule.nodes = selectors_in(text.substr(at + 1));
    if (are_known(workspace, rule)) return;
  }
  throw InputError(ErrorCode::UnknownName, fmt::format("'{}' names no instances and nodes that are there", text), {},
                   "The form is INSTANCES:NODES, such as db1,db2:node1,node2 or tag:service:db:tag:rack:1.");
}

// Returns the rule of the text. Its instances and nodes are set only with a workspace.
PlacementRule read_rule(std::string_view text, const Workspace* workspace) {
  PlacementRule rule;
  const auto said = read_rule_head(text, rule);
  if (!said || said->empty()) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is not of the form {}", text, kForm), {},
                     "KIND is run-on, not-on, stay, apart or together.");
  }
  if (workspace == nullptr) return rule;
  if (rule.kind == RuleKind::RunOn || rule.kind == RuleKind::NotOn) {
    split_selectors(*workspace, *said, rule);
  } else {
    rule.instances = selectors_in(*said);
  }
  return rule;
}

// Returns the name of a tag that no element has yet: "rule-1".
std::string free_tag(const Cluster& cluster) {
  for (std::size_t number = 1;; ++number) {
    std::string tag = fmt::format("rule-{}", number);
    const auto has_it = [&](const std::string& other) { return other.find(tag) != std::string::npos; };
    const bool is_taken =
        std::ranges::any_of(cluster.tags, has_it) || std::ranges::any_of(cluster.instances, [&](const Instance& i) {
          return std::ranges::any_of(i.facts->tags, [&](std::string_view own) { return own == tag; });
        });
    if (!is_taken) return tag;
  }
}

// Says the rule by tags, which a text file keeps. Returns its name.
std::string say_by_tags(Cluster& cluster, const PlacementRule& rule) {
  const RuleBook book(cluster, {rule});
  const ResolvedRule& resolved = book.rule(0);
  std::string tag = rule.instances.size() == 1 && rule.instances.front().starts_with(kTag)
                        ? rule.instances.front().substr(kTag.size())
                        : "";
  if (tag.empty()) {
    tag = free_tag(cluster);
    for (const InstanceIndex i : resolved.instances) cluster.instance(i).facts.edit().tags.push_back(tag);
  }
  std::string node_tag;
  if (rule.nodes.size() == 1 && rule.nodes.front().starts_with(kTag)) {
    node_tag = rule.nodes.front().substr(kTag.size());
  } else if (!rule.nodes.empty()) {
    node_tag = tag;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (resolved.nodes[n]) cluster.nodes[n].facts.edit().tags.push_back(node_tag);
    }
  }
  cluster.tags.push_back(rule_tag(rule, tag, node_tag));
  return tag;
}

}  // namespace

void check_rule(const std::string& value) { read_rule(value, nullptr); }

ChangeOutcome add_rule(Workspace& workspace, const std::string& value) {
  const PlacementRule rule = read_rule(value, &workspace);
  Cluster& cluster = workspace.cluster;
  const RuleBook book(cluster, {rule});
  if (!book.warnings().empty()) throw InputError(ErrorCode::UnknownName, book.warnings().front());
  const std::size_t count = book.rule(0).instances.size();
  PlacementRule named = rule;
  if (workspace.rules.keeps_all) {
    named.name = fmt::format("rule {}", cluster.placement_rules.size() + 1);
    cluster.placement_rules.push_back(named);
  } else {
    named.name = say_by_tags(cluster, rule);
  }
  workspace.settle();
  return {.change = {}, .summary = fmt::format("{} is there now, for {}", called(named), counted(count, "instance"))};
}

ChangeOutcome remove_rule(Workspace& workspace, const std::string& value) {
  Cluster& cluster = workspace.cluster;
  std::vector<std::string_view> names;
  const std::size_t count = cluster.rule_book ? cluster.rule_book->rules().size() : 0;
  for (std::size_t r = 0; r < count; ++r) {
    const PlacementRule& rule = cluster.rule_book->rule(r).given;
    names.emplace_back(rule.name);
    if (rule.name != value) continue;
    const std::string gone = called(rule);
    if (!rule.is_from_tags) {
      cluster.placement_rules.erase(cluster.placement_rules.begin() + static_cast<std::ptrdiff_t>(r));
    } else if (value == kStayTag) {
      for (Instance& i : cluster.instances) {
        TagList others;
        for (const TagView tag : i.facts->tags) {
          if (tag != kStayTag) others.push_back(tag);
        }
        i.facts.edit().tags = std::move(others);
      }
    } else {
      std::erase_if(cluster.tags, [&](const std::string& tag) { return name_of_rule_tag(tag) == value; });
    }
    workspace.settle();
    return {.change = {}, .summary = fmt::format("{} is gone", gone)};
  }
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no rule '{}'", value), {}, did_you_mean(value, names));
}

}  // namespace htools
