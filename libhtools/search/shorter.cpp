#include "search/shorter.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "plan/direct_order.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The most moves of a plan of which shorter variants are looked for, and the most states that are looked at for an
// order of the same places, and for one of fewer places.
constexpr std::size_t kMostMoves = 64, kMostStates = 2000, kMostStatesOfOneLess = 200;

// Returns where the steps bring instances, in the order in which they arrive; not those that come back.
std::vector<WantedPlacement> ends_of(const Cluster& start, const std::vector<OrderedStep>& steps) {
  std::vector<WantedPlacement> ends;
  for (const OrderedStep& s : steps) {
    std::erase_if(ends, [&](const WantedPlacement& w) { return w.instance == s.step.instance; });
    if (s.step.after != placement_of(start.instance(s.step.instance))) ends.push_back({s.step.instance, s.step.after});
  }
  return ends;
}

}  // namespace

std::vector<Ordering> shorter_plans(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                    const Ordering& plan) {
  std::vector<Ordering> shorter;
  if (plan.steps.size() > kMostMoves) return shorter;
  Trial trial(start);
  const auto try_ends = [&](const std::vector<WantedPlacement>& ends, std::size_t most_states) {
    auto steps = direct_order(trial, members, ends, rules.balance.moves, most_states);
    if (steps && steps->size() < plan.steps.size()) shorter.push_back(ordering_of(*steps));
  };
  const std::vector<WantedPlacement> ends = ends_of(start, plan.steps);
  try_ends(ends, kMostStates);
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const BalanceStep& step = plan.steps[s].step;
    if (step.after != placement_of(start.instance(step.instance))) continue;
    std::vector<OrderedStep> others = plan.steps;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(s));
    try_ends(ends_of(start, others), kMostStatesOfOneLess);
  }
  for (const WantedPlacement& end : ends) {
    const std::vector<NodeIndex> nodes = nodes_of(placement_of(start.instance(end.instance)));
    const bool has_to_leave = std::ranges::any_of(
        nodes, [&](NodeIndex n) { return std::ranges::find(rules.wishes.emptied, n) != rules.wishes.emptied.end(); });
    if (has_to_leave) continue;
    std::vector<WantedPlacement> others = ends;
    std::erase_if(others, [&](const WantedPlacement& w) { return w.instance == end.instance; });
    try_ends(others, kMostStatesOfOneLess);
  }
  return shorter;
}

}  // namespace htools
