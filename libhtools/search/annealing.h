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

// What a walk looks for, and what its outcome must not exceed.
struct WalkGoal {
  // False: the lowest score. True: the lowest price, at a score of at most `highest_score`, of which at most
  // `highest_missed_wishes` is for wishes that are not met.
  bool is_price = false;
  double highest_score = std::numeric_limits<double>::infinity();
  double highest_missed_wishes = std::numeric_limits<double>::infinity();
  // A walk for the score ends when it has reached this one without any node outside of its band.
  double enough = -std::numeric_limits<double>::infinity();
  std::int64_t max_moves = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_copied = std::numeric_limits<std::int64_t>::max();  // MiB
};

// How long a walk is, and how much it may lose on the way.
struct WalkPace {
  std::int64_t proposals = 0;
  double first_temperature = 0.0;  // in units of what is to be lowered; falls to a 128th
};

// Returns the value that the walk lowers: the score, or the price in units of an average copy.
double walk_value(const PlacementState& state, const WalkGoal& goal);

// What is outside of walks, but concerns them. Several threads may use it.
struct WalkControl {
  const std::atomic<bool>* stop = nullptr;  // walks end soon after this has become true
  std::function<void()> on_stage = {};      // called now and then by the thread that has made the control
  std::thread::id owner = std::this_thread::get_id();
  std::atomic<std::int64_t> proposals = 0;  // made so far, by all walks

  bool is_stopped() const { return stop != nullptr && *stop; }
};

// Walks, and leaves the state at the best placement that was seen. The state must obey the goal's limits at the start.
// `banned` has placements that are never entered.
void walk(PlacementState& state, const WalkGoal& goal, const WalkPace& pace, std::uint64_t seed,
          const std::vector<Relocation>& banned, WalkControl& control);

// How many walks are made, and by how many threads. The result does not depend on the number of threads.
struct WalkTeam {
  std::int64_t proposals = 0;  // of all short walks together, and of each long walk
  std::size_t walks = 1;       // long walks, of which the best one counts
  std::size_t threads = 1;
};

// Makes short walks to find a good first temperature, then long ones from the best placement so far. Leaves the state
// at the best placement of all.
void tuned_walk(PlacementState& state, const WalkGoal& goal, const WalkTeam& team, std::uint64_t seed,
                const std::vector<Relocation>& banned, WalkControl& control);

}  // namespace htools
