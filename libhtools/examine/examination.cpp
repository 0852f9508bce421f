#include <algorithm>
#include <utility>

#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "examine/health.h"
#include "htools/examine.h"
#include "metric/statistics.h"

namespace htools {
namespace {

GroupExamination examine_members(const Cluster& cluster, GroupIndex group, GroupMembers members) {
  GroupHealth health = group_health(cluster, members);
  std::vector<PolicyViolation> violations;
  for (NodeIndex n : health.other_nodes) {
    if (const auto ratio = policy_violation(cluster.node(n))) violations.push_back({n, *ratio});
  }
  const Score score = Statistics::evaluate(member_nodes(cluster, members)).summary();
  return {.group = group,
          .nodes = std::move(members.nodes),
          .instances = std::move(members.instances),
          .bad_nodes = std::move(health.bad_nodes),
          .bad_instances = std::move(health.bad_instances),
          .other_nodes = std::move(health.other_nodes),
          .policy_violations = std::move(violations),
          .score = score};
}

}  // namespace

bool Examination::is_n1_safe() const {
  return std::all_of(groups.begin(), groups.end(), [](const GroupExamination& group) { return group.is_n1_safe(); });
}

GroupExamination examine(const Cluster& cluster, GroupIndex group) {
  return examine_members(cluster, group, members_of(cluster, group));
}

Examination examine(const Cluster& cluster) {
  Examination examination;
  std::vector<GroupMembers> members = members_by_group(cluster);
  for (GroupIndex group : groups_with_nodes(cluster)) {
    examination.groups.push_back(examine_members(cluster, group, std::move(members[group.position()])));
  }
  examination.split_instances = split_instances(cluster);
  examination.score = score_of(cluster);
  return examination;
}

}  // namespace htools
