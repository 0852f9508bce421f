#include "balance/balancer.h"

#include "balance/step_search.h"
#include "metric/lower_bound.h"
#include "metric/statistics.h"

namespace htools {

bool is_balanced(double score, double lower_bound, const BalanceOptions& options) {
  return score - lower_bound < options.min_score;
}

double balance_lower_bound(const Cluster& cluster, const GroupMembers& members) {
  return reservation_lower_bound(member_nodes(cluster, members));
}

BalanceOptions evacuation(const MoveRules& rules) {
  BalanceOptions options{.moves = rules, .min_score = 0.0, .min_gain = 0.0, .min_gain_limit = 0.0};
  options.moves.evacuation = true;
  return options;
}

BalanceResult balance(Trial& trial, const GroupMembers& members, const BalanceOptions& options,
                      const std::function<void(const BalanceStep&)>& on_step) {
  const Cluster& cluster = trial.cluster();
  BalanceResult result;
  result.initial_score = result.final_score = score(member_nodes(cluster, members));
  result.lower_bound = balance_lower_bound(cluster, members);
  const double target = result.lower_bound + options.min_score;
  StepSearch search(trial, members, options.moves);
  for (;;) {
    const double current = result.final_score;
    if (options.max_steps >= 0 && static_cast<std::int64_t>(result.steps.size()) >= options.max_steps) {
      result.end = BalanceEnd::StepLimit;
      break;
    }
    if (!(current > target)) {
      result.end = BalanceEnd::LowestScore;
      break;
    }
    const auto best = search.best(current);
    if (!best) {
      result.end = BalanceEnd::NoMove;
      break;
    }
    if (!(current > options.min_gain_limit || current - best->score >= options.min_gain)) {
      result.end = BalanceEnd::SmallGain;
      break;
    }
    const Instance& instance = cluster.instance(best->instance);
    const Placement before{instance.primary, instance.secondary};
    result.steps.push_back({best->instance, best->move, before, placement_after(before, best->move), best->score});
    search.apply(*best);
    result.final_score = best->score;
    if (on_step) on_step(result.steps.back());
  }
  return result;
}

}  // namespace htools
