#include "htools/balance.h"

#include "balance/balancer.h"
#include "cluster/members.h"
#include "report/solution.h"

namespace htools {

BalanceResult balance(const Cluster& cluster, GroupIndex group, const BalanceOptions& options,
                      const std::function<void(const BalanceStep&)>& on_step) {
  Trial trial(cluster);
  return balance(trial, members_of(cluster, group), options, on_step);
}

std::string to_text(const Cluster& cluster, GroupIndex group, const BalanceResult& result) {
  const SolutionLines lines(cluster, members_of(cluster, group));
  std::string text;
  std::size_t number = 0;
  for (const BalanceStep& step : result.steps) text += lines.line(++number, step);
  return text;
}

}  // namespace htools
