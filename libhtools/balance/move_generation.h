// Which moves balancing tries.
#pragma once

#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "rules/move.h"

namespace htools {

// Which moves are allowed.
struct MoveRules {
  bool disk_moves = true;             // secondaries may be replaced
  bool instance_moves = true;         // primaries may change
  bool restricted_migration = false;  // the primary changes only by failover, unless it is offline
  bool evacuation = false;            // move only instances that have an offline node
  bool force = false;                 // leave out the soft checks
};

// May the instance move at all: movable, auto-balanced, and as the rules want? A drbd instance without a secondary has
// no moves.
bool is_candidate(const Cluster& cluster, const Instance& instance, const MoveRules& rules);

// The instances that may move, in index order.
std::vector<InstanceIndex> candidate_instances(const Cluster& cluster, const GroupMembers& members,
                                               const MoveRules& rules);

// The kinds of moves of an instance in the order in which they are tried: a failover to the secondary first, then, for
// each target in index order, the kinds in their order.
struct MoveKinds {
  bool failover = false;
  std::span<const MoveKind> per_target;
};
MoveKinds move_kinds(const Cluster& cluster, const Instance& instance, const MoveRules& rules);

// The moves of an instance in the order in which they are tried. Targets are the online nodes of the group without the
// instance's own nodes.
std::vector<Move> generate_moves(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                 const MoveRules& rules);

}  // namespace htools
