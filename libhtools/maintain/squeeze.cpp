#include "maintain/squeeze.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "balance/balancer.h"
#include "base/literal.h"
#include "base/numbers.h"
#include "cluster/bookkeeping.h"
#include "cluster/members.h"
#include "maintain/sufficiency.h"
#include "rules/admission.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Returns one instance of the size of `factor` standard instances. Its template is ext, so it needs no local disk.
Instance probe(const InstanceSpec& standard, double factor) {
  const auto scaled = [factor](std::int64_t amount) { return floor_to_int(factor * static_cast<double>(amount)); };
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.memory = scaled(standard.memory);
  facts.vcpus = scaled(standard.vcpus);
  facts.spindle_use = scaled(standard.spindle_use);
  facts.disk_template = DiskTemplate::Ext;
  return instance;
}

bool has_room(const Cluster& cluster, const Instance& instance) {
  return std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
    return !check_primary(node, books_with_primary(node, instance), instance);
  });
}

bool has_offline_primary(const Cluster& cluster) {
  return std::any_of(cluster.instances.begin(), cluster.instances.end(),
                     [&](const Instance& instance) { return cluster.node(instance.primary).offline; });
}

void switch_nodes(Trial& trial, std::span<const NodeIndex> nodes, bool offline) {
  for (NodeIndex n : nodes) trial.change(n).offline = offline;
}

// The moves found by balancing, and whether the resulting cluster is sufficient: all primaries are online, and every
// node has room for the wanted instance.
struct Balanced {
  std::vector<BalanceStep> steps;
  bool sufficient;
};

Balanced balanced(Trial& trial, const Instance& wanted, SqueezeProgress progress, const SqueezeObserver& observer) {
  constexpr BalanceOptions kAnyGain{.moves = {}, .min_gain = 0.0, .min_gain_limit = 0.0};
  const auto tell = [&] {
    if (observer) observer(progress);
  };
  tell();
  BalanceResult result = balance(trial, all_members(trial.cluster()), kAnyGain, [&](const BalanceStep&) {
    ++progress.moves;
    tell();
  });
  return {std::move(result.steps), !has_offline_primary(trial.cluster()) && has_room(trial.cluster(), wanted)};
}

SqueezePlan plan_of(SqueezeAction action, std::vector<NodeIndex> nodes, Balanced balanced, const Trial& trial) {
  return {action, std::move(nodes), balanced.sufficient, std::move(balanced.steps),
          std::make_shared<const Cluster>(trial.cluster())};
}

// Switches on the first k candidates, for the least k that suffices; all candidates if no k suffices.
SqueezePlan plan_switching_on(const Cluster& cluster, const Instance& wanted, const SqueezeObserver& observer) {
  const std::vector<NodeIndex> candidates = online_candidates(cluster);
  const SufficiencyBounds bounds(cluster, wanted);
  Trial trial(cluster);
  for (std::size_t count = 0;; ++count) {
    const std::span<const NodeIndex> nodes(candidates.data(), count);
    const bool is_last = count == candidates.size();
    const Attempt attempt(trial);
    switch_nodes(trial, nodes, false);
    if (!kLiteral && !is_last && !bounds.may_suffice(trial.cluster())) continue;
    Balanced found = balanced(trial, wanted, {count + 1, candidates.size() + 1}, observer);
    if (!is_last && !found.sufficient) continue;
    return plan_of(SqueezeAction::SwitchOn, {nodes.begin(), nodes.end()}, std::move(found), trial);
  }
}

// Switches candidates off, trying the last one first, and keeps each one that leaves the cluster sufficient.
SqueezePlan plan_switching_off(const Cluster& cluster, const Instance& wanted, const SqueezeObserver& observer) {
  SqueezePlan plan{.nodes = {}, .steps = {}, .after = std::make_shared<const Cluster>(cluster)};
  const std::vector<NodeIndex> candidates = offline_candidates(cluster);
  const SufficiencyBounds bounds(cluster, wanted);
  Trial trial(cluster);
  std::size_t set = 0;
  for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
    ++set;
    std::vector<NodeIndex> nodes{*candidate};
    nodes.insert(nodes.end(), plan.nodes.begin(), plan.nodes.end());
    const Attempt attempt(trial);
    switch_nodes(trial, nodes, true);
    if (!kLiteral && !bounds.may_suffice(trial.cluster())) continue;
    Balanced found = balanced(trial, wanted, {set, candidates.size()}, observer);
    if (found.sufficient) plan = plan_of(SqueezeAction::SwitchOff, std::move(nodes), std::move(found), trial);
  }
  return plan;
}

}  // namespace

std::vector<NodeIndex> offline_candidates(const Cluster& cluster) {
  const auto is_local = [&](InstanceIndex i) { return cluster.instance(i).facts->uses_local_storage(); };
  std::vector<NodeIndex> candidates;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (node.offline || node.facts->master || !node.secondaries.empty()) continue;
    if (std::none_of(node.primaries.begin(), node.primaries.end(), is_local)) candidates.push_back(NodeIndex(n));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](NodeIndex a, NodeIndex b) {
    return cluster.node(a).primaries.size() > cluster.node(b).primaries.size();
  });
  return candidates;
}

std::vector<NodeIndex> online_candidates(const Cluster& cluster) {
  const auto is_standby = [](const std::string& tag) { return tag.starts_with(kStandbyTagPrefix); };
  std::vector<NodeIndex> candidates;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (node.offline && std::any_of(node.facts->tags.begin(), node.facts->tags.end(), is_standby))
      candidates.push_back(NodeIndex(n));
  }
  return candidates;
}

SqueezePlan plan_squeeze(const Cluster& cluster, const SqueezeTargets& targets, const SqueezeObserver& observer) {
  const InstanceSpec& standard = cluster.policy.std;
  const Instance minimal = probe(standard, targets.minimal);
  return has_room(cluster, minimal) ? plan_switching_off(cluster, probe(standard, targets.target), observer)
                                    : plan_switching_on(cluster, minimal, observer);
}

}  // namespace htools
