// Generates the moves that balancing tries.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"

namespace htools {

// True if the primary or the secondary of the instance is offline. An instance that needs a secondary must have one.
bool is_on_offline_node(const Cluster& cluster, const Instance& instance);

// True if the instance may move at all: it is movable, auto-balanced unless the rules do not ask for that, has a
// secondary if it is a drbd instance, and has an offline node if the rules ask for evacuation.
bool is_candidate(const Cluster& cluster, const Instance& instance, const MoveRules& rules);

// Returns the instances of the group that may move, in index order.
std::vector<InstanceIndex> candidate_instances(const Cluster& cluster, const GroupMembers& members,
                                               const MoveRules& rules);

// The kinds of moves of an instance. They are tried in this order: the failover to the secondary, if it is allowed;
// then, for each target in index order, the kinds in `per_target` in their order.
struct MoveKinds {
  bool failover = false;
  std::span<const MoveKind> per_target;

  // True if the move is of one of the kinds.
  bool have(const Move& move) const {
    if (move.kind == MoveKind::Failover) return failover;
    return std::find(per_target.begin(), per_target.end(), move.kind) != per_target.end();
  }
};
// Returns the kinds of moves that the rules allow for an instance that may move (is_candidate()), where it is or at
// another placement: none there if the rules ask for evacuation and its nodes are online.
MoveKinds move_kinds(const Cluster& cluster, const Instance& instance, const MoveRules& rules);
MoveKinds move_kinds(const Cluster& cluster, const InstanceFacts& instance, const Placement& at,
                     const MoveRules& rules);

// Returns the moves of an instance that may move, in the order in which they are tried. The targets are the
// nodes of the group that receive instances, except the instance's own nodes.
std::vector<Move> generate_moves(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                 const MoveRules& rules);

}  // namespace htools
