#include "plan/urgency.h"

#include "plan/paths.h"
#include "plan/step_reason.h"

namespace htools {

Urgency urgency_of(const Cluster& start, const BalanceStep& step) {
  if (is_down(start.node(step.before.primary)) && !is_down(start.node(step.after.primary))) return Urgency::Start;
  const NodeIndex evacuated = evacuated_node(start, step);
  if (evacuated.is_none()) return Urgency::Balance;
  return is_down(start.node(evacuated)) ? Urgency::Departure : Urgency::Goal;
}

Stranded stranded(const Cluster& cluster, const GroupMembers& members) {
  Stranded result;
  const auto is_on_down = [&](NodeIndex n) { return !n.is_none() && is_down(cluster.node(n)); };
  for (const InstanceIndex i : members.instances) {
    const Placement placement = placement_of(cluster.instance(i));
    result.down += is_on_down(placement.primary) ? 1 : 0;
    result.unpaired += is_on_down(placement.secondary) ? 1 : 0;
  }
  return result;
}

}  // namespace htools
