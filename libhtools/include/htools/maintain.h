// Plans maintenance: which nodes can be rebooted at the same time, and which can be switched off to save power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "htools/cluster.h"
#include "htools/moves.h"

namespace htools {

// An instance that has moved, with its nodes after the moves.
struct InstanceMove {
  InstanceIndex instance;
  NodeIndex primary;
  NodeIndex secondary;  // none unless the disk template has a secondary
};

// The options that select the nodes and say which instances must be moved off them.
struct RebootOptions {
  std::optional<std::vector<std::string>> node_tags = {};  // if set, selects only nodes with one of these tags
  bool skip_non_redundant = false;                         // leaves out nodes with a primary instance that is not drbd
  bool ignore_non_redundant = false;                       // does not move away instances that are not drbd
  bool offline_maintenance = false;                        // shuts instances down instead of migrating them
  bool full_evacuation = false;                            // empties the nodes of secondary instances, too
};

// A group of nodes that can be down together, with the moves that must be made first.
struct RebootGroup {
  std::vector<NodeIndex> nodes;
  std::vector<InstanceMove> moves;  // the moves before the reboot; those of each group start from the present cluster
};

// Divides nodes into groups of which no two nodes have copies of the same instance, in the order in which to reboot
// them: the largest group first, that of the master last. If `group` is set, only nodes of that node group. Throws
// InputError if no node is selected, or if there is not enough room to move instances away.
std::vector<RebootGroup> reboot_groups(const Cluster& cluster, const RebootOptions& options = {},
                                       std::optional<GroupIndex> group = std::nullopt);

// Returns one line per group with the names of its nodes.
std::string to_text(const Cluster& cluster, const std::vector<RebootGroup>& groups);

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
  std::shared_ptr<const Cluster> after;  // the cluster after the switching and the moves
};

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
