#include "apps/plans/made_plan.h"

#include <algorithm>
#include <utility>

#include "cluster/members.h"
#include "plan/small_groups.h"

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

namespace {

// Makes the steps to the wanted places on the trial: in small groups the cheapest ones.
Ordering ordered_steps(Trial& trial, const GroupMembers& members, const std::vector<WantedPlacement>& wanted,
                       const MoveRules& rules) {
  Ordering ordering;
  std::optional<WayPrice> price;
  {
    const Attempt attempt(trial);
    ordering = order_moves(trial, members, wanted, rules);
  }
  if (ordering.unreached.empty()) {
    price.emplace();
    for (const OrderedStep& s : ordering.steps) *price += price_of(trial.cluster(), s.step);
  }
  const bool may_be_reached =
      std::ranges::all_of(ordering.unreached, [](const Unreached& u) { return u.reason == UnreachedReason::Refused; });
  if (may_be_reached) {
    if (auto cheaper = cheapest_order(trial, members, wanted, rules, price)) ordering = std::move(*cheaper);
  }
  for (const OrderedStep& s : ordering.steps) trial.apply(s.step.instance, s.step.move);
  return ordering;
}

}  // namespace

void order_groups(Trial& trial, const std::vector<GroupIndex>& groups, const std::vector<WantedPlacement>& wanted,
                  const MoveRules& rules, Made& made) {
  for (const GroupIndex group : groups) {
    const GroupMembers members = members_of(trial.cluster(), group);
    std::vector<WantedPlacement> own;
    for (const WantedPlacement& w : wanted) {
      if (trial.cluster().node(trial.cluster().instance(w.instance).primary).facts->group == group) own.push_back(w);
    }
    add(made, ordered_steps(trial, members, own, rules));
  }
}

}  // namespace htools
