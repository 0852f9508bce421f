// Tries all short sequences of allowed moves, for comparison with what a search finds.
#pragma once

#include <cstddef>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools::testing {

// Calls visit(steps) in the state after each sequence of at most `depth` allowed moves of the first `instances`
// instances, the empty one included. `steps` is changed meanwhile, and at the end as it was.
template <class Visit>
void for_each_way(Trial& trial, const GroupMembers& members, const MoveRules& rules, std::size_t instances,
                  std::size_t depth, std::vector<BalanceStep>& steps, const Visit& visit) {
  visit(steps);
  if (depth == 0) return;
  for (std::size_t i = 0; i < instances; ++i) {
    const Instance& moved = trial.cluster().instance(InstanceIndex(i));
    if (!is_candidate(trial.cluster(), moved, rules)) continue;
    const Placement before = placement_of(moved);
    for (const Move& move : generate_moves(trial.cluster(), members, moved, rules)) {
      const BalanceStep step{InstanceIndex(i), move, before, placement_after(before, move), 0.0};
      if (!is_allowed(trial.cluster(), step, rules.force)) continue;
      const Attempt attempt(trial);
      trial.apply(step.instance, move);
      steps.push_back(step);
      for_each_way(trial, members, rules, instances, depth - 1, steps, visit);
      steps.pop_back();
    }
  }
}

}  // namespace htools::testing
