#include "explain/score_explanation.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "balance/balancer.h"
#include "cluster/bookkeeping.h"
#include "cluster/members.h"
#include "htools/errors.h"
#include "metric/grade.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "trial/trial.h"

namespace htools {
namespace {

constexpr std::size_t kMostInstances = 10;
constexpr std::int64_t kMostMoves = 5;

// Returns for each node, in the order of `nodes`, its share of a component whose value is `value`.
std::vector<double> shares_of_deviation(const std::vector<double>& values, double value) {
  double mean = 0.0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  std::vector<double> shares;
  double sum = 0.0;
  for (const double v : values) sum += shares.emplace_back((v - mean) * (v - mean));
  for (double& share : shares) share = sum > 0 ? value * share / sum : 0.0;
  return shares;
}

// Returns the shares of the collisions of pairs of tags: of c occurrences, c - 1 collide, and each counts equally.
std::vector<double> shares_of_pairs(const NodeRefs& online) {
  TagPairCounts all;
  for (const Node& node : online) {
    for (const auto& [pair, count] : node.location_exclusion) {
      for (std::int64_t c = 0; c < count; ++c) all.add(pair);
    }
  }
  std::vector<double> shares;
  for (const Node& node : online) {
    double& share = shares.emplace_back(0.0);
    for (const auto& [pair, count] : node.location_exclusion) {
      const auto total = static_cast<double>(all.count(pair));
      share += static_cast<double>(count) * (total - 1.0) / total;
    }
  }
  return shares;
}

std::vector<NodeShare> node_shares(const Cluster& cluster, const GroupMembers& members, const Score& score) {
  std::vector<NodeShare> shares;
  for (const NodeIndex n : members.nodes) shares.push_back({n, 0.0, {}});
  if (!score.has_components) return shares;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const ComponentFacts& component = kComponents[k];
    std::vector<std::size_t> covered;
    std::vector<double> values;
    NodeRefs nodes;
    for (std::size_t p = 0; p < members.nodes.size(); ++p) {
      const Node& node = cluster.node(members.nodes[p]);
      if (node.offline != (component.nodes == NodeSet::Offline)) continue;
      covered.push_back(p);
      values.push_back(node_values(node)[k]);
      nodes.emplace_back(node);
    }
    if (component.aggregation == Aggregation::Deviation) values = shares_of_deviation(values, score.components[k]);
    if (component.aggregation == Aggregation::Pairs) values = shares_of_pairs(nodes);
    for (std::size_t c = 0; c < covered.size(); ++c) {
      NodeShare& share = shares[covered[c]];
      share.components[k] = component.weight * values[c];
      share.total += share.components[k];
    }
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const NodeShare& a, const NodeShare& b) { return a.total > b.total; });
  return shares;
}

// Returns the instances without which the score would be lowest.
std::vector<InstanceShare> instance_shares(Trial& trial, const GroupMembers& members, double now) {
  const NodeRefs nodes = member_nodes(trial.cluster(), members);
  std::vector<InstanceShare> shares;
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = trial.cluster().instance(i);
    if (instance.primary == instance.secondary) continue;
    const Attempt attempt(trial);
    remove_primary(trial.change(instance.primary), i, instance);
    if (!instance.secondary.is_none() && instance.facts->has_secondary())
      remove_secondary(trial.change(instance.secondary), i, instance, instance.primary);
    if (const double gain = now - score(nodes); gain > 0) shares.push_back({i, gain});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const InstanceShare& a, const InstanceShare& b) { return a.gain > b.gain; });
  shares.resize(std::min(shares.size(), kMostInstances));
  return shares;
}

}  // namespace

ScoreExplanation explain_score(const Cluster& cluster, GroupIndex group, const BalanceOptions& options) {
  const GroupMembers members = members_of(cluster, group);
  const NodeRefs nodes = member_nodes(cluster, members);
  ScoreExplanation explanation{.group = group, .score = Statistics::evaluate(nodes).summary()};
  explanation.lower_bound = balance_lower_bound(cluster, members);
  explanation.grade = grade_of(nodes);
  explanation.graded_nodes = graded_nodes(nodes);
  explanation.not_n1 =
      std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return !node.offline && node.books.n1_failed; });
  explanation.nodes = node_shares(cluster, members, explanation.score);
  Trial trial(cluster);
  explanation.instances = instance_shares(trial, members, explanation.score.value);
  BalanceOptions few = options;
  few.max_steps = kMostMoves;
  try {
    BalanceResult result = balance(trial, members, few);
    explanation.moves = std::move(result.steps);
    explanation.end = result.end;
  } catch (const InputError&) {  // it cannot be balanced
    explanation.end = BalanceEnd::NoMove;
  }
  return explanation;
}

}  // namespace htools
