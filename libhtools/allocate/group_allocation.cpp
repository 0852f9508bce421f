#include "allocate/group_allocation.h"

#include <algorithm>
#include <utility>

#include "allocate/lost_allocations.h"
#include "allocate/place_trials.h"
#include "base/natural_merge_sort.h"
#include "cluster/group_lookup.h"

namespace htools {

namespace {

bool is_connected(const Group& group, const Instance& instance) {
  return std::all_of(instance.facts->nics.begin(), instance.facts->nics.end(), [&](const Nic& nic) {
    return !nic.network ||
           std::find(group.networks.begin(), group.networks.end(), *nic.network) != group.networks.end();
  });
}

// Returns the members that are online and that the rules allow.
std::vector<NodeIndex> candidates_of(const Cluster& cluster, const std::vector<NodeIndex>& members,
                                     const AllocationRules& rules) {
  std::vector<NodeIndex> candidates;
  for (NodeIndex n : members) {
    const Node& node = cluster.node(n);
    if (receives(node) && (!rules.allowed_nodes || rules.allowed_nodes->contains(node.facts->name)))
      candidates.push_back(n);
  }
  return candidates;
}

// Tries one group, of which `members` are the nodes.
GroupTrial try_group(PlaceTrials& trials, const Cluster& cluster, const std::vector<NodeIndex>& members,
                     GroupIndex group, const Arrival& arrival, std::int64_t required_nodes,
                     const AllocationRules& rules, Judge judge) {
  if (required_nodes != 1 && required_nodes != 2) return {group, GroupProblem::UnsupportedNodeCount};
  const std::vector<NodeIndex> candidates = candidates_of(cluster, members, rules);
  const bool by_loss = judge == Judge::LostAllocations;
  if (required_nodes == 1) {
    if (candidates.empty()) return {group, GroupProblem::NoOnlineNodes};
    return {group,
            by_loss ? try_nodes_by_loss(cluster, candidates, arrival.instance, rules) : trials.try_nodes(candidates)};
  }
  if (candidates.size() < 2) return {group, GroupProblem::NotEnoughOnlineNodes};
  return {group, by_loss ? try_pairs_by_loss(cluster, candidates, arrival.instance, rules)
                         : trials.try_pairs(candidates, candidates)};
}

void select_best(const Cluster& cluster, AllocationAnswer& answer) {
  // The positions of the possible trials, the last one first, so that it wins among equal ones.
  std::vector<std::size_t> eligible;
  for (std::size_t t = answer.trials.size(); t-- > 0;) {
    if (answer.trials[t].choice() != nullptr && cluster.group(answer.trials[t].group).is_allocable()) {
      eligible.push_back(t);
    }
  }
  natural_merge_sort(eligible, [&](std::size_t a, std::size_t b) {
    const AllocPolicy policy_a = cluster.group(answer.trials[a].group).alloc_policy;
    const AllocPolicy policy_b = cluster.group(answer.trials[b].group).alloc_policy;
    if (policy_a != policy_b) return policy_a > policy_b;
    const AllocationScore& score_a = answer.trials[a].choice()->score;
    const AllocationScore& score_b = answer.trials[b].choice()->score;
    return !(score_a < score_b) && !(score_a == score_b);
  });
  if (!eligible.empty()) answer.selected = eligible.front();
}

}  // namespace

std::vector<NodeIndex> nodes_of_group(const Cluster& cluster, const std::vector<NodeIndex>& nodes, GroupIndex group) {
  std::vector<NodeIndex> members;
  for (NodeIndex n : nodes) {
    if (cluster.node(n).facts->group == group) members.push_back(n);
  }
  return members;
}

AllocationAnswer allocate_anywhere(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::optional<std::vector<GroupIndex>>& targets) {
  const Cluster& cluster = trial.cluster();
  AllocationAnswer answer{.any_group = true, .unconnected = {}, .trials = {}, .selected = {}};
  PlaceTrials trials(trial, nodes, arrival, rules);
  std::vector<std::vector<NodeIndex>> members_of(cluster.groups.size());
  for (NodeIndex n : nodes) members_of[cluster.node(n).facts->group.position()].push_back(n);
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    const GroupIndex group(g);
    const std::vector<NodeIndex>& members = members_of[g];
    if (members.empty()) continue;
    if (targets && std::find(targets->begin(), targets->end(), group) == targets->end()) continue;
    if (is_connected(cluster.group(group), arrival.instance)) {
      answer.trials.push_back(try_group(trials, cluster, members, group, arrival, required_nodes, rules, judge));
    } else if (judge == Judge::LostAllocations) {
      answer.trials.push_back({group, GroupProblem::NotConnected});
    } else {
      answer.unconnected.push_back(group);
    }
  }
  select_best(cluster, answer);
  return answer;
}

AllocationAnswer allocate_in_group(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   std::string_view group) {
  const Cluster& cluster = trial.cluster();
  const std::optional<GroupIndex> found = find_group(cluster, group);
  AllocationAnswer answer{.group_known = found.has_value(), .unconnected = {}, .trials = {}, .selected = {}};
  if (!found) return answer;
  const std::vector<NodeIndex> members = nodes_of_group(cluster, nodes, *found);
  PlaceTrials trials(trial, members, arrival, rules);
  answer.trials.push_back(is_connected(cluster.group(*found), arrival.instance)
                              ? try_group(trials, cluster, members, *found, arrival, required_nodes, rules, judge)
                              : GroupTrial{*found, GroupProblem::NotConnected});
  if (answer.trials.front().choice() != nullptr) answer.selected = 0;
  return answer;
}

}  // namespace htools
