// Walks from placement to placement by simulated annealing: changes that make things worse are accepted with a
// probability that falls with the loss and with time (Kirkpatrick, Gelatt and Vecchi, 1983).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "search/placement_state.h"

namespace htools {

// What a walk lowers. The price is the copies, and a little for each move and for the memory that it migrates; by
// moves, it is the moves, and a little for the copies and for that memory.
enum class WalkValue : std::uint8_t { Score, Copies, Price, PriceByMoves };

// What a walk looks for, and what its outcome must not exceed.
struct WalkGoal {
  WalkValue lowered = WalkValue::Score;
  // Of a walk that lowers the price: the highest score, and the highest part of it for wishes that are not met.
  double highest_score = std::numeric_limits<double>::infinity();
  double highest_missed_wishes = std::numeric_limits<double>::infinity();
  // A walk for the score ends when it has reached this one without any node outside of its band.
  double enough = -std::numeric_limits<double>::infinity();
  std::int64_t max_moves = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_copied = std::numeric_limits<std::int64_t>::max();  // MiB
};

// What is outside of walks, but concerns them. Several threads may use it.
struct WalkControl {
  const std::atomic<bool>* stop = nullptr;  // walks end soon after this has become true
  std::function<void()> on_stage = {};      // called now and then by the thread that has made the control
  std::thread::id owner = std::this_thread::get_id();
  std::atomic<std::int64_t> proposals = 0;  // made so far, by all walks

  bool is_stopped() const { return stop != nullptr && *stop; }
};

// How many walks are made, and by how many threads. The result does not depend on the number of threads.
struct WalkTeam {
  std::int64_t proposals = 0;  // of each walk, in all rounds together
  std::size_t walks = 1;       // at a time, at different temperatures
  std::size_t threads = 1;
};

// Walks in rounds, each of which goes on from the best placement of the one before, at temperatures that fit the goal
// and the cluster. Leaves the state at the best placement of all, which must obey the goal's limits at the start.
// `banned` has placements that are never entered.
void tuned_walk(PlacementState& state, const WalkGoal& goal, const WalkTeam& team, std::uint64_t seed,
                const std::vector<Relocation>& banned, WalkControl& control);

}  // namespace htools
