// Empties nodes: counts them as offline, so that balancing moves everything off them, and says what stays.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "balance/immovable.h"
#include "cluster/cluster.h"
#include "htools/balance.h"
#include "htools/refusal.h"
#include "plan/cheapest_way.h"
#include "trial/trial.h"

namespace htools {

// Notes of nodes in maintenance, which have the tag kMaintenanceTag and are offline, that they work.
void mark_maintenance(Cluster& cluster);

// Makes the nodes count as offline.
void switch_off(Trial& trial, std::span<const NodeIndex> nodes);

// An instance that has not left a node.
struct Staying {
  InstanceIndex instance;
  NodeIndex node;
  bool may_move = false;                    // false if something else than the rules about places forbids it
  std::optional<Immovable> immovable = {};  // set if it may not and one cause can be named
  bool has_targets = false;                 // false if no other node of its group takes instances
  // If the rules refuse every move, the refusal that lacks least.
  std::optional<Refusal> nearest = {};
};

// What came of emptying nodes without balancing the others.
struct EmptyingTrial {
  WayPrice price;                 // of the moves off these nodes; those off others that are offline cost nothing
  std::vector<Staying> staying;   // what has not left the nodes
  std::vector<NodeIndex> unsafe;  // what newly_unsafe() finds
  bool is_done() const { return staying.empty() && unsafe.empty(); }
};

// Returns the instances whose primary or secondary is one of the nodes, in index order.
std::vector<Staying> staying_on(const Cluster& cluster, std::span<const NodeIndex> nodes, const MoveRules& rules);

// Returns the nodes that break a soft rule in the second state more than in the first: that are no longer N+1 safe and
// have less memory beyond what they reserve, or carry more virtual cpus than both the policy allows and they did.
// (Moves off offline nodes may do that.)
std::vector<NodeIndex> newly_unsafe(const Cluster& before, const Cluster& after);

// Empties the nodes with the balancer's moves of instances on them, in small node groups with the cheapest moves, and
// undoes that. `start` is the trial's state.
EmptyingTrial try_emptying(const Cluster& start, Trial& trial, std::span<const NodeIndex> nodes,
                           const MoveRules& rules);

}  // namespace htools
