// Saving power: which nodes can be switched off, or must be switched on, so that every node still has room for some
// more load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "rules/move.h"

namespace htools {

// Nodes that this tool, or an administrator, has switched off carry a tag that begins with this.
inline constexpr std::string_view kStandbyTagPrefix = "htools:standby:";
inline constexpr std::string_view kStandbyTag = "htools:standby:auto";

// What every node, switched off or not, must have room for, in standard instances of the cluster's policy. Any number.
struct SqueezeTargets {
  double minimal = 2.0;  // nodes are switched on if there is less
  double target = 2.0;   // and switched off as long as there is this much
};

enum class SqueezeAction : std::uint8_t { None, SwitchOff, SwitchOn };

// Nodes to switch off or on, and the moves that go with it.
struct SqueezePlan {
  SqueezeAction action = SqueezeAction::None;
  std::vector<NodeIndex> nodes;    // to be switched; may be empty for SwitchOn: then the moves suffice
  bool sufficient = true;          // every node has the minimal room in the end
  std::vector<BalanceStep> steps;  // the moves: before switching off, after switching on
  Cluster cluster;                 // in the end
};

// Online nodes that nothing keeps online once their instances have moved: not the master, no secondaries, no local
// disks. Those with most primaries first.
std::vector<NodeIndex> offline_candidates(const Cluster& cluster);
// Offline nodes with a standby tag, in index order.
std::vector<NodeIndex> online_candidates(const Cluster& cluster);

// What the search is at: which set of nodes to be switched it tries, of how many, and the moves found for that one.
struct SqueezeProgress {
  std::size_t set = 0;  // counted from 1
  std::size_t sets = 0;
  std::size_t moves = 0;
};
using SqueezeObserver = std::function<void(const SqueezeProgress&)>;

// Balancing looks at the whole cluster, regardless of node groups.
SqueezePlan plan_squeeze(const Cluster& cluster, const SqueezeTargets& targets, const SqueezeObserver& observer = {});

}  // namespace htools
