// Searches sequences of moves by their price: the cheapest one that leads to a goal is found first.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/copying.h"
#include "trial/trial.h"

namespace htools {

// What moves cost together. The least copied disk comes first, then the number of moves, then the migrated memory.
struct WayPrice {
  std::int64_t copied = 0;  // MiB
  std::int64_t steps = 0;
  std::int64_t migrated = 0;  // MiB
  auto operator<=>(const WayPrice&) const = default;
};

// A sequence of moves, and its price.
struct Way {
  std::vector<BalanceStep> steps;
  WayPrice price;
};

// What is looked at.
struct WaySearch {
  const GroupMembers& members;
  const std::vector<InstanceIndex>& movers;  // the instances that may move
  const MoveRules& rules;
  const CopyRules& copying;
  std::size_t most_states;   // at most this many states are looked at
  std::size_t most_targets;  // of each kind of move of an instance: those to the nodes with the most free memory
  std::size_t most_steps = std::numeric_limits<std::size_t>::max();  // longer ways are not looked at
  // Ways that are not below this price are not looked at.
  std::optional<WayPrice> below = {};
};

// Returns the cheapest sequence of allowed moves after which `is_goal` is true; nothing if none was found. The trial is
// as before in the end.
std::optional<Way> cheapest_way(Trial& trial, const WaySearch& search, const std::function<bool(Trial&)>& is_goal);

}  // namespace htools
