#include "rules/refusal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/bookkeeping.h"
#include "rules/answers.h"
#include "rules/move_application.h"

namespace htools {

namespace {

// Returns why the node refuses the instance as primary; the policy of the node's group counts, too.
std::optional<Refusal> refusal_of_primary(const Cluster& cluster, NodeIndex n, const Instance& instance, bool force) {
  const Node& node = cluster.node(n);
  if (const auto shortage =
          policy_shortage(instance, cluster.group(node.facts->group).policy, node.facts->exclusive_storage)) {
    return ReasonAnswer::refusal({n, NodeIndex::none()}, cluster, n, shortage);
  }
  return ReasonAnswer::primary(cluster, n, node.books, books_with_primary(node, instance), instance, {.force = force});
}

}  // namespace

FailMode mode_of(const Refusal& refusal) {
  if (const auto* shortage = std::get_if<Shortage>(&refusal.reason)) return shortage->mode;
  if (std::holds_alternative<NodeCordoned>(refusal.reason)) return FailMode::Cordoned;
  if (std::holds_alternative<RuleBroken>(refusal.reason)) return FailMode::Rule;
  return std::holds_alternative<NotReceivable>(refusal.reason) ? FailMode::Migration : FailMode::N1;
}

double lacking(const Shortage& shortage) {
  if (!shortage.needed || !shortage.available || shortage.limit == AdmissionLimit::ExclusionTags) {
    return std::numeric_limits<double>::infinity();
  }
  return std::abs(*shortage.needed - *shortage.available) / std::max(1.0, std::abs(*shortage.needed));
}

double lacking(const Refusal& refusal) {
  const auto* shortage = std::get_if<Shortage>(&refusal.reason);
  return shortage == nullptr ? std::numeric_limits<double>::infinity() : lacking(*shortage);
}

std::optional<Refusal> nearest_refusal(std::span<const Refusal> refusals) {
  const auto nearest = std::ranges::min_element(refusals, {}, [](const Refusal& r) { return lacking(r); });
  return nearest == refusals.end() ? std::nullopt : std::optional(*nearest);
}

std::optional<Refusal> refusal_of_secondary(const Cluster& cluster, NodeIndex n, const Instance& instance,
                                            NodeIndex primary) {
  const Node& node = cluster.node(n);
  return ReasonAnswer::secondary(cluster, n, node.books, books_with_secondary(node, instance, primary), instance, {});
}

std::vector<Refusal> refusals_of_nodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                                       const Instance& instance, bool force) {
  std::vector<Refusal> refusals;
  for (NodeIndex n : nodes) {
    if (const auto refusal = refusal_of_primary(cluster, n, instance, force)) refusals.push_back(*refusal);
  }
  return refusals;
}

std::vector<Refusal> refusals_of_pairs(const Cluster& cluster, const std::vector<NodeIndex>& primaries,
                                       const std::vector<NodeIndex>& secondaries, const Instance& instance,
                                       bool force) {
  std::vector<Refusal> refusals = refusals_of_nodes(cluster, primaries, instance, force);
  for (NodeIndex s : secondaries) {
    if (const auto refusal = refusal_of_secondary(cluster, s, instance, NodeIndex::none())) {
      refusals.push_back(*refusal);
      continue;
    }
    for (NodeIndex p : primaries) {
      if (p == s || cluster.node(s).peers.memory_for(p) == 0) continue;
      if (auto refusal = refusal_of_secondary(cluster, s, instance, p)) {
        refusal->place.primary = p;
        refusals.push_back(*refusal);
      }
    }
  }
  return refusals;
}

std::vector<Refusal> refusals_of_moves(const Cluster& cluster, InstanceIndex instance, MoveKind kind,
                                       const std::vector<NodeIndex>& targets, bool force) {
  std::vector<Refusal> refusals;
  const MoveReasons reasons(cluster, instance, force);
  for (NodeIndex target : targets) {
    const MoveReasons::Outcome outcome = reasons.attempt({kind, target});
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) refusals.push_back(*refusal);
  }
  return refusals;
}

}  // namespace htools
