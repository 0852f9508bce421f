#include "plan/step_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/strings.h"

namespace htools {
namespace {

// A resource of a node, and the part of it that is in use.
struct UsedPart {
  std::string_view resource;
  double (*of)(const Node& node);
};
constexpr std::array<UsedPart, 4> kUsedParts{{
    {"memory", [](const Node& node) { return 1.0 - node.books.real.memory_ratio; }},
    {"disk", [](const Node& node) { return 1.0 - node.books.real.disk_ratio; }},
    {"virtual CPUs",
     [](const Node& node) {
       return node.facts->max_vcpus == 0
                  ? 0.0
                  : static_cast<double>(node.books.real.used_vcpus) / static_cast<double>(node.facts->max_vcpus);
     }},
    {"reserved memory", [](const Node& node) { return node.books.reserved_ratio; }},
}};

// Returns the part in whole per cent; 0 if it is not finite.
std::int64_t per_cent(double part) {
  constexpr double kMost = 1e15;
  return std::abs(part) < kMost ? std::llround(100.0 * part) : 0;
}

std::string largest_decrease(std::span<const TouchedNode> nodes) {
  std::int64_t largest = 0;
  std::string text = "balance";
  for (const TouchedNode& node : nodes) {
    for (const UsedPart& part : kUsedParts) {
      const std::int64_t old_use = per_cent(part.of(node.before)), new_use = per_cent(part.of(node.after));
      if (old_use - new_use <= largest) continue;
      largest = old_use - new_use;
      text = fmt::format("balance: {} of {} {} -> {} %", part.resource, node.before.facts->name, old_use, new_use);
    }
  }
  return text;
}

// A reason that a single node gives: when it applies, and the words before the node's name.
struct NodeReason {
  bool (*applies)(const TouchedNode& node);
  std::string_view words;
};
constexpr std::array<NodeReason, 3> kNodeReasons{{
    {[](const TouchedNode& n) { return n.before.books.n1_failed && !n.after.books.n1_failed; }, "N+1 of "},
    {[](const TouchedNode& n) {
       const std::int64_t now = n.before.books.real.used_vcpus;
       return now > n.before.facts->max_vcpus && n.after.books.real.used_vcpus < now;
     },
     "policy: cpus of "},
    {[](const TouchedNode& n) {
       const double now = n.before.books.real.instance_spindles;
       return now > n.before.facts->max_instance_spindles && n.after.books.real.instance_spindles < now;
     },
     "policy: spindles of "},
}};

// True if the instances have an exclusion tag in common.
bool must_be_apart(const InstanceFacts& a, const InstanceFacts& b) {
  return std::any_of(a.exclusion_tags().begin(), a.exclusion_tags().end(), [&](std::string_view tag) {
    return std::find(b.exclusion_tags().begin(), b.exclusion_tags().end(), tag) != b.exclusion_tags().end();
  });
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
    if (i != step.instance && must_be_apart(moved, *cluster.instance(i).facts)) separated.push_back(i);
  }
  return separated.size() > 1 ? separated : std::vector<InstanceIndex>{};
}

std::string step_reason(std::span<const TouchedNode> nodes, std::string_view evacuated,
                        const std::vector<std::string>& separated, std::string_view loads) {
  if (!evacuated.empty()) return fmt::format("evacuates {}", evacuated);
  for (const NodeReason& reason : kNodeReasons) {
    for (const TouchedNode& node : nodes) {
      if (reason.applies(node)) return fmt::format("{}{}", reason.words, node.before.facts->name);
    }
  }
  if (!separated.empty()) return "apart: " + join(separated, ", ");
  return loads.empty() ? largest_decrease(nodes) : fmt::format("balance: {}", loads);
}

}  // namespace htools
