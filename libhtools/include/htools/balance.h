// Balances a node group: makes a sequence of moves, each of which is the one that lowers the score most.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "htools/cluster.h"
#include "htools/moves.h"

namespace htools {

// The restrictions of the moves.
struct MoveRules {
  bool disk_moves = true;          // moves may replace secondaries
  bool instance_moves = true;      // moves may change primaries
  bool local_moves = true;         // instances on local disks may move if they are movable; their disks are copied
  bool dead_disks = true;          // disks may be copied from nodes that are down, as the reference plans it
  bool auto_balanced_only = true;  // only instances that are balanced automatically may move
  // True if a drbd instance may leave an online primary only by failover to its secondary. This excludes ReplacePrimary
  // even if the primary is offline.
  bool restricted_migration = false;
  bool evacuation = false;  // true to move only instances that have an offline node
  // True to leave out the soft checks of the primary node. The hard ones stay: memory, disk and spindles that it does
  // not have.
  bool force = false;
};

// The moves that balancing may make, and the conditions for its end.
struct BalanceOptions {
  MoveRules moves;
  std::int64_t max_steps = -1;  // negative: no limit
  double min_score = 1e-9;      // balancing stops when the score is at most this far above the lower bound
  double min_gain = 0.01;       // a step must lower the score by at least this ...
  double min_gain_limit = 0.1;  // ... if the score before the step is at most this
};

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
  double lower_bound = 0.0;  // the part of the score that no placement can avoid
  std::vector<BalanceStep> steps;
  BalanceEnd end = BalanceEnd::NoMove;
};

// Balances one group. Calls `on_step`, if given, with each step as soon as it is found. Throws InputError if the
// cluster cannot be balanced, for example because a drbd instance has no secondary.
BalanceResult balance(const Cluster& cluster, GroupIndex group, const BalanceOptions& options = {},
                      const std::function<void(const BalanceStep&)>& on_step = {});

// Returns one line per step, as `hbal` prints them, with aligned columns.
std::string to_text(const Cluster& cluster, GroupIndex group, const BalanceResult& result);

}  // namespace htools
