#include "plan/mended_nodes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "plan/paths.h"
#include "plan/plan.h"
#include "plan/urgency.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Of more steps that leave a node all are called needed: finding out takes time that grows with the square.
constexpr std::size_t kMostTriedSteps = 100;

// What may be wrong with a node that steps which leave it can mend.
struct NodeRule {
  ServedKind kind;
  bool (*is_broken)(const Node& node);
};
constexpr std::array<NodeRule, 3> kNodeRules{{
    {ServedKind::NPlusOne, [](const Node& n) { return n.books.n1_failed; }},
    {ServedKind::Policy, [](const Node& n) { return n.facts->forbids_vcpus(n.books.real.used_vcpus); }},
    {ServedKind::Policy, [](const Node& n) { return n.books.real.instance_spindles > n.facts->max_instance_spindles; }},
}};

// A node on its way through the plan.
struct Breach {
  MendedNode node;
  bool (*is_broken)(const Node& node);
  bool is_mended = false;
};

// Returns the nodes that the instance leaves, or no longer runs on.
std::vector<NodeIndex> nodes_left(const BalanceStep& step) {
  std::vector<NodeIndex> nodes = nodes_of(step.before);
  std::erase_if(nodes, [&](NodeIndex n) {
    return n == step.after.primary || (n == step.after.secondary && n != step.before.primary);
  });
  return nodes;
}

// Finds what is wrong at the start, and follows it through the plan.
std::vector<Breach> breaches(const Cluster& start, std::span<const BalanceStep> steps) {
  std::vector<Breach> found;
  for (std::size_t n = 0; n < start.nodes.size(); ++n) {
    for (const NodeRule& rule : kNodeRules) {
      if (start.nodes[n].offline || !rule.is_broken(start.nodes[n])) continue;
      found.push_back({{.node = NodeIndex(n), .kind = rule.kind}, rule.is_broken});
    }
  }
  if (found.empty()) return found;
  Trial trial(start);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const std::vector<NodeIndex> left = nodes_left(steps[s]);
    trial.apply(steps[s].instance, steps[s].move);
    for (Breach& breach : found) {
      if (breach.is_mended) continue;
      if (std::ranges::find(left, breach.node.node) != left.end()) breach.node.steps.push_back(s);
      breach.is_mended = !breach.is_broken(trial.cluster().node(breach.node.node));
    }
  }
  return found;
}

// Drops positions of steps for as long as the rest is enough, those that copy most first.
template <class IsEnough>
void drop_unneeded(std::vector<std::size_t>& positions, std::span<const BalanceStep> steps, const Cluster& start,
                   IsEnough is_enough) {
  std::vector<std::size_t> dearest = positions;
  std::ranges::stable_sort(dearest, std::greater<>(),
                           [&](std::size_t s) { return cost_of(start, steps[s], {}).copied_mib; });
  for (const std::size_t s : dearest) {
    std::vector<std::size_t> rest = positions;
    std::erase(rest, s);
    if (is_enough(rest)) positions = std::move(rest);
  }
}

}  // namespace

std::vector<MendedNode> mended_nodes(const Cluster& start, std::span<const BalanceStep> steps) {
  std::vector<MendedNode> result;
  Trial trial(start);
  const auto make_if_there = [&](std::size_t s) {
    if (placement_of(trial.cluster().instance(steps[s].instance)) == steps[s].before)
      trial.apply(steps[s].instance, steps[s].move);
  };
  std::vector<Breach> found = breaches(start, steps);
  for (std::size_t s = 0; !found.empty() && s < steps.size(); ++s) {
    if (urgency_of(start, steps[s]) <= Urgency::Departure) make_if_there(s);
  }
  for (Breach& breach : found) {
    MendedNode& node = result.emplace_back(std::move(breach.node));
    const auto is_mended_by = [&](const std::vector<std::size_t>& some) {
      const Attempt attempt(trial);
      for (const std::size_t s : some) make_if_there(s);
      return !breach.is_broken(trial.cluster().node(node.node));
    };
    if (node.steps.size() <= kMostTriedSteps && is_mended_by(node.steps))
      drop_unneeded(node.steps, steps, start, is_mended_by);
  }
  return result;
}

}  // namespace htools
