// Defragments: finds moves after which more instances of a size fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/copying.h"

namespace htools {

// The size of the instances that are to fit.
struct WantedSize {
  std::int64_t memory = 0;  // MiB
  std::int64_t disk = 0;    // MiB of local disk; 0 if the storage is elsewhere
  std::int64_t vcpus = 0;
};

// After this many moves in a row without a larger count, they are undone, and no further ones are looked for.
inline constexpr std::size_t kDefragmentPatience = 20;

// What the moves must not exceed.
struct DefragmentLimits {
  std::size_t max_steps = 1000;
  std::optional<std::int64_t> max_copied = {};  // MiB
};

// The moves, and how many instances of the size fit before and after them.
struct Defragmentation {
  std::vector<BalanceStep> steps;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// Finds moves within these groups. Each of them lets the nodes that it touches take more instances of the size, counted
// node by node; of those that gain the same, it is one that copies the least disk, then the least memory. `fitting`
// counts what really fits into a state, by all rules; the moves end where it finds most.
Defragmentation defragment(const Cluster& start, const std::vector<GroupIndex>& groups, const WantedSize& size,
                           const MoveRules& rules, const CopyRules& copying, const DefragmentLimits& limits,
                           const std::function<std::int64_t(const Cluster&)>& fitting);

}  // namespace htools
