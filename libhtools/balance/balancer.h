// Balances a node group: makes a sequence of moves, each of which is the one that lowers the score most.
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

// The moves that balancing may make, and the conditions for its end.
struct BalanceOptions {
  MoveRules moves;
  std::int64_t max_steps = -1;  // negative: no limit
  double min_score = 1e-9;      // balancing stops when the score is at most this far above the lower bound
  double min_gain = 0.01;       // a step must lower the score by at least this ...
  double min_gain_limit = 0.1;  // ... if the score before the step is at most this
};

// Returns the part of the score that no placement can avoid (metric/lower_bound.h).
double balance_lower_bound(const Cluster& cluster, const GroupMembers& members);

// True if the score is less than options.min_score above the lower bound, so that balance() would not try any step.
bool is_balanced(double score, double lower_bound, const BalanceOptions& options);

// The reason why there are no further steps.
enum class BalanceEnd : std::uint8_t {
  LowestScore,  // the score is as close to the lower bound as the options ask for
  StepLimit,    // the number of steps has reached its limit
  NoMove,       // no allowed move lowers the score
  SmallGain     // the best move would lower the score by less than the options require
};

// The result of balancing.
struct BalanceResult {
  double initial_score = 0.0;
  double final_score = 0.0;
  double lower_bound = 0.0;  // see balance_lower_bound()
  std::vector<BalanceStep> steps;
  BalanceEnd end = BalanceEnd::NoMove;
};

// Makes moves on the trial as long as they lower the score enough. Each step is the move with the lowest score; among
// equal scores, the move of the first instance, and of its moves the first (generate_moves()). Calls `on_step` with
// each step as soon as it is made. The moves are not undone.
BalanceResult balance(Trial& trial, const GroupMembers& members, const BalanceOptions& options,
                      const std::function<void(const BalanceStep&)>& on_step = {});

}  // namespace htools
