// Finds out what stands in the way of growth first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "grow/bounds.h"
#include "grow/placing.h"
#include "grow/workload.h"
#include "htools/refusal.h"

namespace htools {

// The kinds of obstacles.
enum class ObstacleKind : std::uint8_t {
  Memory,         // there is not enough in sum
  Survival,       // N+1: after the placement, some node could not be vacated, or cannot now
  Disk,           // not enough in sum
  Cpus,           // not enough in sum
  Fragmentation,  // enough of everything in sum, but nowhere in one piece
  Rules           // no node may take such an instance, whatever is free: policy, tags, spindles
};
inline constexpr std::array<std::string_view, 6> kObstacleNames{"memory", "n+1",           "disk",
                                                                "cpus",   "fragmentation", "rules"};
constexpr std::string_view name(ObstacleKind kind) { return kObstacleNames[static_cast<std::size_t>(kind)]; }

// What stands in the way.
struct Obstacle {
  ObstacleKind kind = ObstacleKind::Rules;
  std::optional<GrowthResource> resource;  // that `needed` and `free` are amounts of
  std::optional<double> needed;            // for all wanted instances or, if it is fragmentation, for one
  std::optional<double> free;              // in sum
  std::optional<double> largest_piece;     // the most that one node has free; only if it is fragmentation
  std::int64_t placed_before = 0;          // instances that have found places before
  std::string instance;                    // the size of the first instance without a place, in words
  std::optional<Refusal> refusal;          // one of those that there were
};

// Explains the first refusal of a placement. With fragmentation, there are no amounts if some nodes have enough of each
// resource, but none of all of them. `part` is the cluster of the placement before anything was placed, and
// `needed` and `free` are the sums for all wanted instances. Indices are those of `part`; instances behind its own are
// those that were placed before.
Obstacle find_obstacle(const Cluster& part, const Workload& workload, const Placed& placed,
                       const ResourceAmounts& needed, const ResourceSupply& free);

// Explains that a group takes nothing because the loss of one of its nodes could not be borne even now.
Obstacle unsafe_obstacle(const Refusal& refusal);

// Returns the resource that most nodes lack for another instance of this size. It is N+1 if some nodes do not lack any;
// nothing if other rules refuse it.
std::optional<GrowthResource> scarce_resource(const Cluster& state, const Instance& instance);

}  // namespace htools
