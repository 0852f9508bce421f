#include "search/greedy.h"

#include "balance/balancer.h"
#include "trial/trial.h"

namespace htools {

Ordering greedy_plan(const Cluster& start, const GroupMembers& members, const BalanceOptions& options,
                     std::int64_t max_steps) {
  BalanceOptions limited = options;
  limited.max_steps = max_steps;
  Trial trial(start);
  return ordering_of(balance(trial, members, limited).steps);
}

}  // namespace htools
