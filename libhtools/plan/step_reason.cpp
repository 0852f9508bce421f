#include "plan/step_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/strings.h"
#include "rules/rule_check.h"

namespace htools {
namespace {

// A resource of a node, as people and documents call it, what its per cent are of, and the part of it that is in use.
struct UsedPart {
  std::string_view resource;
  std::string_view word;
  std::string_view unit;
  double (*of)(const Node& node);
};
constexpr std::array<UsedPart, 4> kUsedParts{{
    {"memory", "memory", "%", [](const Node& node) { return 1.0 - node.books.real.memory_ratio; }},
    {"disk", "disk", "%", [](const Node& node) { return 1.0 - node.books.real.disk_ratio; }},
    {"virtual CPUs", "cpus", "% of what is allowed",
     [](const Node& node) {
       return node.facts->max_vcpus == 0 || !node.facts->has_vcpu_limit()
                  ? 0.0
                  : static_cast<double>(node.books.real.used_vcpus) / static_cast<double>(node.facts->max_vcpus);
     }},
    {"reserved memory", "reserved-memory", "%", [](const Node& node) { return node.books.reserved_ratio; }},
}};

// Returns the part in whole per cent; 0 if it is not finite.
std::int64_t per_cent(double part) {
  constexpr double kMost = 1e15;
  return std::abs(part) < kMost ? std::llround(100.0 * part) : 0;
}

StepReason largest_decrease(std::span<const TouchedNode> nodes) {
  std::int64_t largest = 0;
  StepReason reason{"balance", {}};
  for (const TouchedNode& node : nodes) {
    for (const UsedPart& part : kUsedParts) {
      const std::int64_t old_use = per_cent(part.of(node.before)), new_use = per_cent(part.of(node.after));
      if (old_use - new_use <= largest) continue;
      largest = old_use - new_use;
      reason.text = fmt::format("balance: {} of {} {} -> {} {}", part.resource, node.before.facts->alias, old_use,
                                new_use, part.unit);
      reason.serves.resource = part.word;
      reason.serves.node = node.index;
    }
  }
  return reason;
}

// A reason that a single node gives: when it applies, the words before the node's name, and what the step serves.
struct NodeReason {
  bool (*applies)(const TouchedNode& node);
  std::string_view words;
  ServedKind kind;
  std::string_view resource;
};
constexpr std::array<NodeReason, 3> kNodeReasons{{
    {[](const TouchedNode& n) { return n.before.books.n1_failed && !n.after.books.n1_failed; }, "N+1 of ",
     ServedKind::NPlusOne, ""},
    {[](const TouchedNode& n) {
       const std::int64_t now = n.before.books.real.used_vcpus;
       return n.before.facts->forbids_vcpus(now) && n.after.books.real.used_vcpus < now;
     },
     "policy: cpus of ", ServedKind::Policy, "cpus"},
    {[](const TouchedNode& n) {
       const double now = n.before.books.real.instance_spindles;
       return now > n.before.facts->max_instance_spindles && n.after.books.real.instance_spindles < now;
     },
     "policy: spindles of ", ServedKind::Policy, "spindles"},
}};

// Returns an exclusion tag that the instances have in common; empty if there is none.
std::string_view common_tag(const InstanceFacts& a, const InstanceFacts& b) {
  for (const std::string_view tag : a.exclusion_tags()) {
    if (std::find(b.exclusion_tags().begin(), b.exclusion_tags().end(), tag) != b.exclusion_tags().end()) return tag;
  }
  return {};
}

// The reason of a step that takes instances apart; there are at least two.
StepReason separation(const Cluster& cluster, const std::vector<InstanceIndex>& separated) {
  std::vector<std::string> names;
  for (const InstanceIndex i : separated) names.push_back(cluster.instance(i).facts->alias);
  const std::string_view tag = common_tag(*cluster.instance(separated[0]).facts, *cluster.instance(separated[1]).facts);
  return {"apart: " + join(names, ", "), {.kind = ServedKind::Apart, .rule = std::string(tag)}};
}

// The reason of a step with which an instance leaves an offline node, which the plan may have declared offline.
StepReason evacuation(const Node& node, NodeIndex index) {
  return {fmt::format("{} {}", node.is_emptied ? "empties" : "evacuates", node.facts->alias),
          {.kind = node.is_emptied ? ServedKind::Empty : ServedKind::Offline, .node = index}};
}

// The reason of a step that makes a node N+1 safe, alone or with others.
StepReason safety(const Node& node, NodeIndex index) {
  return {fmt::format("N+1 of {}", node.facts->alias), {.kind = ServedKind::NPlusOne, .node = index}};
}

}  // namespace

NodeIndex evacuated_node(const Cluster& cluster, const BalanceStep& step) {
  const Placement &before = step.before, &after = step.after;
  const auto is_offline = [&](NodeIndex n) { return !n.is_none() && cluster.node(n).offline; };
  if (is_offline(before.primary) && after.primary != before.primary) return before.primary;
  const bool leaves = before.secondary != after.primary && before.secondary != after.secondary;
  return is_offline(before.secondary) && leaves ? before.secondary : NodeIndex::none();
}

std::vector<InstanceIndex> separated_by(const Cluster& cluster, const BalanceStep& step) {
  if (step.before.primary == step.after.primary) return {};
  std::vector<InstanceIndex> separated{step.instance};
  const InstanceFacts& moved = *cluster.instance(step.instance).facts;
  for (const InstanceIndex i : cluster.node(step.before.primary).primaries) {
    if (i != step.instance && !common_tag(moved, *cluster.instance(i).facts).empty()) separated.push_back(i);
  }
  return separated.size() > 1 ? separated : std::vector<InstanceIndex>{};
}

std::optional<StepReason> rule_reason(const Cluster& cluster, const BalanceStep& step) {
  const std::optional<std::uint32_t> number = rule_mended_by(cluster, step.instance, step.after);
  if (!number) return std::nullopt;
  const PlacementRule& rule = cluster.rule_book->rule(*number).given;
  const bool says_so = rule.name.starts_with("rule ");
  return StepReason{fmt::format("{}{} ({})", says_so ? "" : "rule ", rule.name, name(rule.kind)),
                    {.kind = ServedKind::Rule, .rule = rule.name}};
}

StepReason step_reason(const Cluster& cluster, std::span<const TouchedNode> nodes, NodeIndex evacuated,
                       NodeIndex made_safe, const std::vector<InstanceIndex>& separated, std::string_view loads) {
  if (!evacuated.is_none()) return evacuation(cluster.node(evacuated), evacuated);
  if (!made_safe.is_none()) return safety(cluster.node(made_safe), made_safe);
  for (const NodeReason& reason : kNodeReasons) {
    for (const TouchedNode& node : nodes) {
      if (!reason.applies(node)) continue;
      return {fmt::format("{}{}", reason.words, node.before.facts->alias),
              {.kind = reason.kind, .resource = std::string(reason.resource), .node = node.index}};
    }
  }
  if (!separated.empty()) return separation(cluster, separated);
  if (!loads.empty()) return {fmt::format("balance: {}", loads), {.kind = ServedKind::Loads}};
  return largest_decrease(nodes);
}

}  // namespace htools
