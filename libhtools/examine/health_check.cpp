#include "examine/health_check.h"

#include <algorithm>
#include <cstdint>

#include "balance/balancer.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "trial/trial.h"

namespace htools {
namespace {

std::vector<GroupPlan> rebalance(Trial& trial, const BalanceOptions& options, const HealthCheckObserver& observer) {
  const std::vector<GroupMembers> members = members_by_group(trial.cluster());
  std::vector<GroupPlan> plans;
  for (GroupIndex group : groups_with_nodes(trial.cluster())) {
    std::size_t steps = 0;
    plans.push_back({group, balance(trial, members[group.position()], options, [&](const BalanceStep& step) {
                       if (observer.on_step) observer.on_step(group.position(), members.size(), ++steps, step);
                     })});
  }
  return plans;
}

}  // namespace

bool needs_rebalancing(const std::vector<GroupStatistics>& groups) {
  const std::vector<std::int64_t> counts = summed_counts(groups);
  return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
}

HealthCheck check_health(const Cluster& cluster, const HealthCheckOptions& options,
                         const HealthCheckObserver& observer) {
  HealthCheck check{.initial = health_statistics(cluster, options.capacity_checks), .plans = {}, .after = {}};
  if (observer.on_initial) observer.on_initial(check);
  const bool rebalances = options.rebalance && needs_rebalancing(check.initial);
  if (!rebalances && !options.recount) return check;
  Trial trial(cluster);
  if (rebalances) check.plans = rebalance(trial, options.balance, observer);
  check.after = health_statistics(trial.cluster(), options.capacity_checks);
  return check;
}

}  // namespace htools
