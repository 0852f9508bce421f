#include "placement/squeeze.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/numbers.h"
#include "cluster/admission.h"
#include "cluster/bookkeeping.h"
#include "cluster/members.h"
#include "placement/balancer.h"

namespace htools {
namespace {

// Some standard instances in one.
Instance probe(const InstanceSpec& standard, double factor) {
  const auto scaled = [factor](std::int64_t amount) { return floor_to_int(factor * static_cast<double>(amount)); };
  Instance instance;
  instance.memory = scaled(standard.memory);
  instance.vcpus = scaled(standard.vcpus);
  instance.spindle_use = scaled(standard.spindle_use);
  instance.disk_template = DiskTemplate::Ext;
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

// What comes of switching nodes: the moves, the cluster, and whether it is good enough.
struct Trial {
  std::vector<BalanceStep> steps;
  Cluster cluster;
  bool sufficient;
};

Trial switch_nodes(const Cluster& cluster, std::span<const NodeIndex> nodes, bool offline, const Instance& wanted) {
  constexpr BalanceOptions kAnyGain{.moves = {}, .min_gain = 0.0, .min_gain_limit = 0.0};
  Trial trial{.steps = {}, .cluster = cluster, .sufficient = false};
  for (NodeIndex n : nodes) trial.cluster.node(n).offline = offline;
  trial.steps = balance(trial.cluster, all_members(trial.cluster), kAnyGain);
  trial.sufficient = !has_offline_primary(trial.cluster) && has_room(trial.cluster, wanted);
  return trial;
}

SqueezePlan plan_of(SqueezeAction action, std::vector<NodeIndex> nodes, Trial trial) {
  return {action, std::move(nodes), trial.sufficient, std::move(trial.steps), std::move(trial.cluster)};
}

// The first few candidates that suffice, or all.
SqueezePlan plan_switching_on(const Cluster& cluster, const Instance& wanted) {
  const std::vector<NodeIndex> candidates = online_candidates(cluster);
  for (std::size_t count = 0;; ++count) {
    const std::span<const NodeIndex> nodes(candidates.data(), count);
    Trial trial = switch_nodes(cluster, nodes, false, wanted);
    if (!trial.sufficient && count < candidates.size()) continue;
    return plan_of(SqueezeAction::SwitchOn, {nodes.begin(), nodes.end()}, std::move(trial));
  }
}

// The last candidates first, each one that can be added.
SqueezePlan plan_switching_off(const Cluster& cluster, const Instance& wanted) {
  SqueezePlan plan{.nodes = {}, .steps = {}, .cluster = cluster};
  const std::vector<NodeIndex> candidates = offline_candidates(cluster);
  for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
    std::vector<NodeIndex> nodes{*candidate};
    nodes.insert(nodes.end(), plan.nodes.begin(), plan.nodes.end());
    Trial trial = switch_nodes(cluster, nodes, true, wanted);
    if (trial.sufficient) plan = plan_of(SqueezeAction::SwitchOff, std::move(nodes), std::move(trial));
  }
  return plan;
}

}  // namespace

std::vector<NodeIndex> offline_candidates(const Cluster& cluster) {
  const auto is_local = [&](InstanceIndex i) { return cluster.instance(i).uses_local_storage(); };
  std::vector<NodeIndex> candidates;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (node.offline || node.master || !node.secondaries.empty()) continue;
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
    if (node.offline && std::any_of(node.tags.begin(), node.tags.end(), is_standby)) candidates.push_back(NodeIndex(n));
  }
  return candidates;
}

SqueezePlan plan_squeeze(const Cluster& cluster, const SqueezeTargets& targets) {
  const InstanceSpec& standard = cluster.policy.std;
  const Instance minimal = probe(standard, targets.minimal);
  return has_room(cluster, minimal) ? plan_switching_off(cluster, probe(standard, targets.target))
                                    : plan_switching_on(cluster, minimal);
}

}  // namespace htools
