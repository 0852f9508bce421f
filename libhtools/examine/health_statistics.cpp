#include "examine/health_statistics.h"

#include <algorithm>
#include <functional>
#include <span>

#include "cluster/group_lookup.h"
#include "metric/statistics.h"
#include "survival/capacity_check.h"

namespace htools {
namespace {

template <class Predicate>
std::int64_t count_nodes(const Cluster& cluster, const GroupMembers& members, Predicate predicate) {
  return std::count_if(members.nodes.begin(), members.nodes.end(),
                       [&](NodeIndex n) { return predicate(cluster.node(n)); });
}

std::int64_t n1_failures(Trial& trial, const GroupMembers& members) {
  return count_nodes(trial.cluster(), members, [](const Node& node) { return !node.offline && node.books.n1_failed; });
}

std::int64_t tag_conflicts(Trial& trial, const GroupMembers& members) {
  return count_nodes(trial.cluster(), members, [](const Node& node) { return node.books.tag_conflicts > 0; });
}

std::int64_t offline_primaries(Trial& trial, const GroupMembers& members) {
  const Cluster& cluster = trial.cluster();
  std::int64_t count = 0;
  for (NodeIndex n : members.nodes) {
    if (cluster.node(n).offline) count += static_cast<std::int64_t>(cluster.node(n).primaries.size());
  }
  return count;
}

// Returns the number of offline nodes. By specification, this number stands in the place of the number of instances
// with an offline secondary (key OFFLINE_SEC): programs read it there, and it decides whether the cluster is healthy.
std::int64_t offline_nodes(Trial& trial, const GroupMembers& members) {
  return count_nodes(trial.cluster(), members, [](const Node& node) { return node.offline; });
}

std::int64_t stuck_nodes(Trial& trial, const GroupMembers& members) {
  CapacityCheck check(trial, members.nodes, {.ignored_groups = {}, .skip_offline = false, .refuse_incomplete = true});
  return check.stuck_nodes();
}

GroupStatistics statistics_of(Trial& trial, GroupIndex group, const GroupMembers& members,
                              std::span<const HealthCounter> counters) {
  GroupStatistics statistics{.group = group, .counts = {}, .failure = {}};
  try {
    for (const HealthCounter& counter : counters) statistics.counts.push_back(counter.count(trial, members));
  } catch (const InputError& error) {
    statistics.failure = error;
  }
  statistics.score = score(member_nodes(trial.cluster(), members));
  return statistics;
}

}  // namespace

const std::array<HealthCounter, kHealthCounterCount> kHealthCounters{{
    {"N1_FAIL", "Nodes not N+1 happy", n1_failures},
    {"CONFLICT_TAGS", "Nodes with conflicting instances", tag_conflicts},
    {"OFFLINE_PRI", "Instances having the primary node offline", offline_primaries},
    {"OFFLINE_SEC", "Instances having a secondary node offline", offline_nodes},
    {"GN1_FAIL", "Nodes not directly evacuateable", stuck_nodes},
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
