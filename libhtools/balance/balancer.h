// Balancing: the sequence of moves in which each one lowers the score most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "rules/move.h"
#include "trial/trial.h"

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

// Why there are no further steps.
enum class BalanceEnd : std::uint8_t {
  LowestScore,  // the score is as near to the lower bound as was asked for
  StepLimit,    // there are as many steps as are allowed
  NoMove,       // no allowed move lowers the score
  SmallGain     // the best move would gain less than a step has to
};

// What balancing has come to.
struct BalanceResult {
  double initial_score = 0.0;
  double final_score = 0.0;
  double lower_bound = 0.0;  // see balance_lower_bound()
  std::vector<BalanceStep> steps;
  BalanceEnd end = BalanceEnd::NoMove;
};

// Takes steps on the trial as long as they lower the score enough. Each step is the move with the lowest score; among
// equal ones that of the first instance, and of its moves the first. Calls `on_step` with each step as soon as it is
// found. The steps stay on the trial.
BalanceResult balance(Trial& trial, const GroupMembers& members, const BalanceOptions& options,
                      const std::function<void(const BalanceStep&)>& on_step = {});

}  // namespace htools
