#include "apps/plans/made_plan.h"

#include "cluster/members.h"

namespace htools {

void add(Made& made, const Ordering& ordering) {
  for (const OrderedStep& step : ordering.steps) {
    const std::size_t position = made.steps.size();
    if (step.enables) {
      const std::size_t start = position - static_cast<std::size_t>(&step - ordering.steps.data());
      made.enables.emplace_back(position, start + *step.enables);
    }
    made.steps.push_back(step.step);
  }
  made.unreached.insert(made.unreached.end(), ordering.unreached.begin(), ordering.unreached.end());
}

void order_groups(Trial& trial, const std::vector<GroupIndex>& groups, const std::vector<WantedPlacement>& wanted,
                  const MoveRules& rules, Made& made) {
  for (const GroupIndex group : groups) {
    const GroupMembers members = members_of(trial.cluster(), group);
    std::vector<WantedPlacement> own;
    for (const WantedPlacement& w : wanted) {
      if (trial.cluster().node(trial.cluster().instance(w.instance).primary).facts->group == group) own.push_back(w);
    }
    add(made, order_moves(trial, members, own, rules));
  }
}

}  // namespace htools
