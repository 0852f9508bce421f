#include "examine/health_statistics.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "cluster/group_lookup.h"
#include "metric/statistics.h"
#include "survival/capacity_check.h"

namespace htools {
namespace {

template <class Predicate>
std::vector<NodeIndex> find_nodes(const Cluster& cluster, const GroupMembers& members, Predicate predicate) {
  std::vector<NodeIndex> found;
  std::copy_if(members.nodes.begin(), members.nodes.end(), std::back_inserter(found),
               [&](NodeIndex n) { return predicate(cluster.node(n)); });
  return found;
}

Troubled n1_failures(Trial& trial, const GroupMembers& members) {
  return find_nodes(trial.cluster(), members, [](const Node& node) { return !node.offline && node.books.n1_failed; });
}

Troubled tag_conflicts(Trial& trial, const GroupMembers& members) {
  return find_nodes(trial.cluster(), members, [](const Node& node) { return node.books.tag_conflicts > 0; });
}

Troubled offline_primaries(Trial& trial, const GroupMembers& members) {
  const Cluster& cluster = trial.cluster();
  std::vector<InstanceIndex> found;
  for (NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    if (node.offline) found.insert(found.end(), node.primaries.begin(), node.primaries.end());
  }
  return found;
}

// Returns the offline nodes. By specification, their number stands in the place of the number of instances with an
// offline secondary (key OFFLINE_SEC): programs read it there, and it decides whether the cluster is healthy.
Troubled offline_nodes(Trial& trial, const GroupMembers& members) {
  return find_nodes(trial.cluster(), members, [](const Node& node) { return node.offline; });
}

Troubled stuck_nodes(Trial& trial, const GroupMembers& members) {
  CapacityCheck check(trial, members.nodes, {.ignored_groups = {}, .skip_offline = false, .refuse_incomplete = true});
  return check.stuck_nodes();
}

GroupStatistics statistics_of(Trial& trial, GroupIndex group, const GroupMembers& members,
                              std::span<const HealthCounter> counters) {
  GroupStatistics statistics{.group = group, .counts = {}, .troubled = {}, .failure = {}};
  try {
    for (const HealthCounter& counter : counters) {
      statistics.troubled.push_back(counter.find(trial, members));
      statistics.counts.push_back(std::visit([](const auto& found) { return static_cast<std::int64_t>(found.size()); },
                                             statistics.troubled.back()));
    }
  } catch (const InputError& error) {
    statistics.failure = error;
  }
  statistics.score = score(member_nodes(trial.cluster(), members));
  return statistics;
}

}  // namespace

const std::array<HealthCounter, kHealthCounterCount> kHealthCounters{{
    {"N1_FAIL", "Nodes not N+1 happy", "nodes_not_n1", "Online nodes that may lack memory for a failover", n1_failures},
    {"CONFLICT_TAGS", "Nodes with conflicting instances", "nodes_with_tag_conflicts",
     "Nodes with primary instances that must be apart by their exclusion tags", tag_conflicts},
    {"OFFLINE_PRI", "Instances having the primary node offline", "instances_on_offline_nodes",
     "Instances whose primary node is offline", offline_primaries},
    {"OFFLINE_SEC", "Instances having a secondary node offline", "offline_nodes", "Offline nodes", offline_nodes},
    {"GN1_FAIL", "Nodes not directly evacuateable", "nodes_not_evacuable",
     "Nodes whose instances would find no place elsewhere", stuck_nodes},
}};

std::vector<GroupStatistics> health_statistics(const Cluster& cluster, bool capacity_checks) {
  const std::span<const HealthCounter> counters(kHealthCounters.data(),
                                                kHealthCounterCount - (capacity_checks ? 0 : 1));
  const std::vector<GroupMembers> members = members_by_group(cluster);
  Trial trial(cluster);
  std::vector<GroupStatistics> statistics;
  for (GroupIndex group : groups_with_nodes(cluster)) {
    statistics.push_back(statistics_of(trial, group, members[group.position()], counters));
  }
  return statistics;
}

std::vector<std::int64_t> summed_counts(const std::vector<GroupStatistics>& groups) {
  std::vector<std::int64_t> sums;
  for (const GroupStatistics& group : groups) {
    if (group.failure) throw *group.failure;
    sums.resize(group.counts.size(), 0);
    std::transform(group.counts.begin(), group.counts.end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return sums;
}

}  // namespace htools
