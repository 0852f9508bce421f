#include "placement/balancer.h"

#include "metric/lower_bound.h"
#include "metric/statistics.h"
#include "placement/move_search.h"

namespace htools {

bool is_balanced(double score, double lower_bound, const BalanceOptions& options) {
  return score - lower_bound < options.min_score;
}

double balance_lower_bound(const Cluster& cluster, const GroupMembers& members) {
  return reservation_lower_bound(member_nodes(cluster, members));
}

std::vector<BalanceStep> balance(Cluster& cluster, const GroupMembers& members, const BalanceOptions& options,
                                 const std::function<void(const BalanceStep&)>& on_step) {
  double current = score(member_nodes(cluster, members));
  const double target = balance_lower_bound(cluster, members) + options.min_score;
  MoveSearch search(cluster, members, options.moves);
  std::vector<BalanceStep> steps;
  const auto may_continue = [&] {
    const bool below_limit = options.max_steps < 0 || static_cast<std::int64_t>(steps.size()) < options.max_steps;
    return below_limit && current > target;
  };
  while (may_continue()) {
    const auto best = search.best(current);
    if (!best) break;
    if (!(current > options.min_gain_limit || current - best->score >= options.min_gain)) break;
    const Instance& instance = cluster.instance(best->instance);
    const Placement before{instance.primary, instance.secondary};
    steps.push_back({best->instance, best->move, before, placement_after(before, best->move), best->score});
    search.apply(*best);
    current = best->score;
    if (on_step) on_step(steps.back());
  }
  return steps;
}

}  // namespace htools
