#include "placement/failure_counts.h"

#include <algorithm>
#include <optional>

#include "base/literal.h"
#include "cluster/bookkeeping.h"

namespace htools {

namespace {

// The reason why a placement fails, or nothing if it succeeds.
using Outcome = std::optional<FailMode>;

// Counts the outcome `times` times; a negative number takes it back.
void count(OutcomeCounts& counts, const Outcome& outcome, std::int64_t times) {
  (outcome ? counts.failures[*outcome] : counts.successes) += times;
}

Outcome outcome_as_primary(const Cluster& cluster, const Node& node, const Instance& instance) {
  return refusal_as_primary(cluster, node, books_with_primary(node, instance), instance);
}

// Counts the outcomes of all pairs of one group, pair by pair.
void count_each_pair(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const Instance& instance,
                     OutcomeCounts& counts) {
  for (NodeIndex p : nodes) {
    for (NodeIndex s : nodes) {
      if (s == p) continue;
      const Outcome refusal = outcome_as_primary(cluster, cluster.node(p), instance);
      const Node& node = cluster.node(s);
      count(counts, refusal ? refusal : check_secondary(node, books_with_secondary(node, instance, p), instance), 1);
    }
  }
}

// Counts the outcomes of all pairs of one group. A secondary answers all primaries alike, except those that it already
// reserves memory for.
void count_pairs(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const Instance& instance,
                 OutcomeCounts& counts) {
  const auto others = static_cast<std::int64_t>(nodes.size()) - 1;
  std::vector<NodeIndex> primaries;
  for (NodeIndex p : nodes) {
    const Outcome outcome = outcome_as_primary(cluster, cluster.node(p), instance);
    if (outcome) {
      count(counts, outcome, others);
    } else {
      primaries.push_back(p);
    }
  }
  const auto is_primary = [&](NodeIndex n) { return std::binary_search(primaries.begin(), primaries.end(), n); };
  for (NodeIndex s : nodes) {
    const Node& node = cluster.node(s);
    const auto partners = static_cast<std::int64_t>(primaries.size()) - (is_primary(s) ? 1 : 0);
    if (partners == 0) continue;
    const NodeBooks after = books_with_secondary(node, instance, NodeIndex::none());
    const Outcome outcome = check_secondary(node, after, instance);
    count(counts, outcome, partners);
    for (const PeerMap::Entry& peer : node.peers.entries()) {
      // Most peers have so little memory here that a further instance needs no other reservation.
      const std::int64_t need = peer.memory + instance.facts->secondary_memory();
      if (peer.memory >= 0 && need <= after.reserved_memory) continue;
      if (peer.primary == s || !is_primary(peer.primary)) continue;
      const NodeBooks after_for_peer = books_with_secondary(node, instance, peer.primary);
      if (after_for_peer.reserved_memory == after.reserved_memory) continue;
      count(counts, outcome, -1);
      count(counts, check_secondary(node, after_for_peer, instance), 1);
    }
  }
}

}  // namespace

std::optional<FailMode> refusal_as_primary(const Cluster& cluster, const Node& node, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules) {
  const InstancePolicy& policy = cluster.group(node.facts->group).policy;
  if (const auto fail = check_policy(instance, policy, node.facts->exclusive_storage)) return fail;
  return check_primary(node, after, instance, rules);
}

bool possible_as_primary(const Cluster& cluster, NodeIndex node, const Instance& instance) {
  return !outcome_as_primary(cluster, cluster.node(node), instance);
}

bool possible_as_secondary(const Cluster& cluster, NodeIndex node, const Instance& instance, NodeIndex primary) {
  const Node& secondary = cluster.node(node);
  return !check_secondary(secondary, books_with_secondary(secondary, instance, primary), instance);
}

OutcomeCounts count_outcomes(const Cluster& cluster, const Candidates& candidates, const Instance& instance) {
  OutcomeCounts result;
  for (const auto& nodes : candidates.lists) {
    if (candidates.pairs && kLiteral) {
      count_each_pair(cluster, nodes, instance, result);
    } else if (candidates.pairs) {
      count_pairs(cluster, nodes, instance, result);
    } else {
      for (NodeIndex n : nodes) count(result, outcome_as_primary(cluster, cluster.node(n), instance), 1);
    }
  }
  return result;
}

}  // namespace htools
