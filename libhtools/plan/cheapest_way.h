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
#include "plan/price_order.h"
#include "trial/trial.h"

namespace htools {

// What moves cost together. As a value, it is ordered as PriceOrder::Cheapest says.
struct WayPrice {
  std::int64_t copied = 0;  // MiB
  std::int64_t steps = 0;
  std::int64_t migrated = 0;  // MiB
  auto operator<=>(const WayPrice&) const = default;
  WayPrice& operator+=(const WayPrice& other);
};

// Returns the price of a step. `cluster` may be any state, as for transfers_of().
WayPrice price_of(const Cluster& cluster, const BalanceStep& step);

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
  std::size_t most_states;   // at most this many states are looked at
  std::size_t most_targets;  // of each kind of move of an instance: those to the nodes with the most free memory
  std::size_t most_steps = std::numeric_limits<std::size_t>::max();  // longer ways are not looked at
  // Ways that are not below this price are not looked at.
  std::optional<WayPrice> below = {};
  // Returns a price below which no way leads from a state to the goal, which makes the search shorter; 0 if empty.
  std::function<WayPrice(const Cluster&)> least_left = {};
  PriceOrder order = PriceOrder::Cheapest;  // in which the ways are looked at
};

// Returns the cheapest sequence of allowed moves after which `is_goal` is true, with the score of the group after each;
// nothing if none was found. The trial is as before in the end.
std::optional<Way> cheapest_way(Trial& trial, const WaySearch& search, const std::function<bool(Trial&)>& is_goal);

}  // namespace htools
