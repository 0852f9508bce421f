#include "plan/timeline.h"

#include "plan/shared_rates.h"

namespace htools {

std::vector<TimedTransfer> timeline_of(const Cluster& cluster, const Plan& plan, const CopyRules& rules) {
  std::vector<TimedTransfer> timeline;
  double start = 0.0;
  for (const Wave& wave : plan.waves) {
    std::vector<std::vector<Transfer>> chains;
    for (const std::size_t number : wave.steps) {
      const PlannedStep& step = plan.steps[number - 1];
      chains.push_back(step.new_disks ? std::vector<Transfer>{} : transfers_of(cluster, step.step));
    }
    const std::vector<ChainTimes> times = shared_times(cluster, chains, rules);
    for (std::size_t i = 0; i < chains.size(); ++i) {
      for (std::size_t k = 0; k < chains[i].size(); ++k) {
        const TransferTime& time = times[i].transfers[k];
        timeline.push_back(
            {.step = wave.steps[i], .transfer = chains[i][k], .from = start + time.from, .to = start + time.to});
      }
    }
    start += wave.seconds;
  }
  return timeline;
}

}  // namespace htools
