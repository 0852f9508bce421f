// Balancing: the sequence of moves in which each one lowers the score most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "placement/move.h"
#include "placement/move_generation.h"

namespace htools {

// Which moves are made, and when it is enough.
struct BalanceOptions {
  MoveRules moves;
  std::int64_t max_steps = -1;  // negative: no limit
  double min_score = 1e-9;      // stop when the score is not more than this above the lower bound
  double min_gain = 0.01;       // a step must gain at least this ...
  double min_gain_limit = 0.1;  // ... if the score before it is not above this
};

// The part of the score that no placement can avoid (metric/lower_bound.h).
double balance_lower_bound(const Cluster& cluster, const GroupMembers& members);

// The score is already so close to the lower bound that no step would be tried.
bool is_balanced(double score, double lower_bound, const BalanceOptions& options);

// Makes the steps on the cluster; `on_step` is told of each one as soon as it is made. The step taken is the one with
// the lowest score; among equal ones that of the first instance, and of its moves the first.
std::vector<BalanceStep> balance(Cluster& cluster, const GroupMembers& members, const BalanceOptions& options,
                                 const std::function<void(const BalanceStep&)>& on_step = {});

}  // namespace htools
