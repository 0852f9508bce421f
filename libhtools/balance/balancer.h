// Balances a node group: makes a sequence of moves, each of which is the one that lowers the score most.
#pragma once

#include <functional>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "trial/trial.h"

namespace htools {

// Returns the part of the score that no placement can avoid (metric/lower_bound.h).
double balance_lower_bound(const Cluster& cluster, const GroupMembers& members);

// True if the score is less than options.min_score above the lower bound, so that balance() would not try any step.
bool is_balanced(double score, double lower_bound, const BalanceOptions& options);

// Returns the options by which instances leave offline nodes, however little that gains, and nothing else moves.
BalanceOptions evacuation(const MoveRules& rules);

// Makes moves on the trial as long as they lower the score enough. Each step is the move with the lowest score; among
// equal scores, the move of the first instance, and of its moves the first (generate_moves()). Calls `on_step` with
// each step as soon as it is made. The moves are not undone.
BalanceResult balance(Trial& trial, const GroupMembers& members, const BalanceOptions& options,
                      const std::function<void(const BalanceStep&)>& on_step = {});

}  // namespace htools
