// Makes room: finds the cheapest moves after which new instances find places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"
#include "htools/allocate.h"
#include "htools/balance.h"

namespace htools {

// The effort of hplan that users do not change, from 0 to 9.
inline constexpr std::int64_t kUsualRoomEffort = 5;
// Returns how many states are looked at with this effort: three times as many for each level.
constexpr std::size_t room_states(std::int64_t effort) {
  std::size_t states = 30;
  for (std::int64_t level = 0; level < effort; ++level) states *= 3;
  return effort == 0 ? 1 : states;
}

// What the moves must not exceed, how many states are looked at for each instance, and how the allocator is asked.
struct RoomOptions {
  std::optional<std::int64_t> max_steps = {};
  std::optional<std::int64_t> max_copied = {};  // MiB
  std::size_t states = 3000;
  AllocationRules allocation = {};
};

// The place of a new instance.
struct RoomPlacement {
  std::size_t position;  // among the new instances
  Placement place;
};

// The moves, and where the new instances go then, one after the other, as the allocator chooses.
struct RoomPlan {
  std::vector<BalanceStep> steps;
  std::vector<RoomPlacement> placed;
  // The first new instance that finds no place; absent if all do.
  std::optional<std::size_t> homeless;
  bool is_outside_policy = false;  // true if no node group allows its size, so that no moves help
  // Why it finds none: the limit of the policy; else the refusal after all steps that lacks least.
  std::optional<Refusal> nearest = {};
};

// Finds the moves within these groups. Nothing is moved if all instances find places as it is. Of all ways that are
// looked at, the one counts that copies the least disk, then has the fewest moves, then migrates the least memory.
// Where there are few moves, all short ways are looked at; else, for each place that the instance could have, those
// that move what is there.
RoomPlan make_room(const Cluster& start, const std::vector<GroupIndex>& groups,
                   const std::vector<NewInstance>& instances, const MoveRules& rules, const RoomOptions& options);

}  // namespace htools
