#include "plan/timeline.h"

namespace htools {

std::vector<TimedTransfer> timeline_of(const Cluster& cluster, const Plan& plan, const CopyRules& rules) {
  std::vector<TimedTransfer> timeline;
  double start = 0.0;
  for (const Wave& wave : plan.waves) {
    for (const std::size_t number : wave.steps) {
      double from = start;
      for (const Transfer& transfer : transfers_of(cluster, plan.steps[number - 1].step)) {
        const double to = from + seconds_of(cluster, {transfer}, rules);
        timeline.push_back({.step = number, .transfer = transfer, .from = from, .to = to});
        from = to;
      }
    }
    start += wave.seconds;
  }
  return timeline;
}

}  // namespace htools
