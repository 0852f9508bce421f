#include "search/greedy.h"

#include <optional>

#include "balance/balancer.h"
#include "trial/trial.h"

namespace htools {

Ordering greedy_plan(const Cluster& start, const GroupMembers& members, const BalanceOptions& options,
                     std::int64_t max_steps) {
  BalanceOptions limited = options;
  limited.max_steps = max_steps;
  Trial trial(start);
  Ordering plan;
  for (const BalanceStep& step : balance(trial, members, limited).steps) plan.steps.push_back({step, std::nullopt});
  return plan;
}

}  // namespace htools
