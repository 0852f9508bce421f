// Divides the steps of a plan into waves: moves that may all run at the same time, in any order.
//
// While a wave runs, its moves hold what they need at both ends. So each of them must be allowed while all others of
// the wave have arrived already, and none has left. The most urgent moves come first (plan/urgency.h), of these the
// longest. A wave gets no move that is longer than its first one: such a move waits, and all less urgent ones with it.
//
// Steps may be made in another order than in the plan. Should that lead to a dead end, a step that arrives on a node
// waits until the wave after all earlier steps of the plan that leave the node. That always leads to the end: a node
// then never carries more than what it carried when some step of the plan was made, which was allowed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "plan/copying.h"

namespace htools {

// Steps that are made at the same time.
struct ScheduledWave {
  std::vector<std::size_t> steps;  // positions in the plan, in ascending order
  double seconds = 0.0;            // until the last of them has ended
};

// The waves of a plan, one after the other.
struct Schedule {
  std::vector<ScheduledWave> waves;
  double seconds = 0.0;
  // No schedule is shorter: the longest of the seconds of the node with the most to send and receive, of the instance
  // with the longest steps, and of waves in which each node, and the cluster, copies as many disks and migrates as many
  // instances as the rules allow.
  double lower_bound = 0.0;
  std::vector<std::size_t> longest_chain;  // the steps of that instance, as positions in the plan
};

// Returns the schedule of allowed steps that start from the state `cluster`. Several orders are tried, also with
// lower limits on what runs at the same time, because moves that share a node are slower, and a wave waits for them;
// the shortest schedule counts. If the rules want the steps one by one, each step is a wave, in the order of the plan.
Schedule schedule_steps(const Cluster& cluster, std::span<const BalanceStep> steps, const MoveRules& moves,
                        const CopyRules& rules);

}  // namespace htools
