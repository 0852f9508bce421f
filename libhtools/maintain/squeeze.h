// Plans how to save power: finds the nodes that can be switched off, or that must be switched on, so that every node
// still has room for some more load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "rules/move.h"

namespace htools {

// The prefix of the tags that mark a node as switched off, by this tool or by an administrator.
inline constexpr std::string_view kStandbyTagPrefix = "htools:standby:";
// The tag that this tool gives to the nodes that it switches off.
inline constexpr std::string_view kStandbyTag = "htools:standby:auto";

// The room that each node must have, as multiples of the standard instance of the cluster's policy. Any number is
// valid. Nodes that are switched off are checked, too.
struct SqueezeTargets {
  double minimal = 2.0;  // if a node has less, nodes are switched on
  double target = 2.0;   // nodes are switched off as long as each node has this much
};

// The action of a plan.
enum class SqueezeAction : std::uint8_t { None, SwitchOff, SwitchOn };

// The nodes to switch off or on, and the moves that go with them.
struct SqueezePlan {
  SqueezeAction action = SqueezeAction::None;
  std::vector<NodeIndex> nodes;    // the nodes to switch; empty with SwitchOn if the moves alone suffice
  bool sufficient = true;          // true if no primary is offline and every node has the required room in the end
  std::vector<BalanceStep> steps;  // the moves, made before switching off or after switching on
  Cluster cluster;                 // the cluster after the switching and the moves
};

// Returns the online nodes that can be switched off once their instances have moved: not the master, without secondary
// instances, and without primary instances on local disks. Nodes with more primary instances come first.
std::vector<NodeIndex> offline_candidates(const Cluster& cluster);
// Returns the offline nodes with a standby tag, in index order.
std::vector<NodeIndex> online_candidates(const Cluster& cluster);

// The progress of the search: the set of nodes that it tries to switch, the number of sets, and the number of moves
// found so far for this set.
struct SqueezeProgress {
  std::size_t set = 0;  // counted from 1
  std::size_t sets = 0;
  std::size_t moves = 0;
};
using SqueezeObserver = std::function<void(const SqueezeProgress&)>;

// Plans the switching of nodes. Switches nodes off if every node has the minimal room, else on. Balances the cluster as
// a whole, regardless of node groups. Calls `observer`, if given, at the start of each set and after each move.
SqueezePlan plan_squeeze(const Cluster& cluster, const SqueezeTargets& targets, const SqueezeObserver& observer = {});

}  // namespace htools
