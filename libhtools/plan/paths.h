// Finds the moves that bring an instance from its nodes to others, without asking whether they are allowed.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "htools/moves.h"

namespace htools {

// Returns the least number of moves from one placement to the other: 0 to 2. Both must have a secondary, or none.
int moves_between(const Placement& from, const Placement& to);

// Returns the moves after which the least number of further moves is lower, in a fixed order.
std::vector<Move> moves_towards(const Placement& from, const Placement& to);

// Returns those of moves_towards() that no placement of other instances rules out, neither by themselves nor by what
// has to follow them: the rules allow their kinds, their targets are online, and migration tags allow the instance to
// come to each node that runs it on the way.
std::vector<Move> possible_moves_towards(const Cluster& cluster, const InstanceFacts& instance, const Placement& from,
                                         const Placement& to, const MoveRules& rules);

// Returns where an instance may be between two jobs of the moves from one placement to the other, by whichever moves of
// moves_towards() it comes there.
std::vector<Placement> placements_between(const Placement& from, const Placement& to);

// True if the instance is where the step expects it, and the rules allow the move. `force` leaves out the soft checks.
bool is_allowed(const Cluster& cluster, const BalanceStep& step, bool force);

// Returns the nodes of the instance. A secondary node counts only if the disk template has one.
Placement placement_of(const Instance& instance);

// Returns the nodes of a placement: one or two.
std::vector<NodeIndex> nodes_of(const Placement& placement);
// Returns the placement on one or two nodes, the primary first.
Placement placement_on(const std::vector<NodeIndex>& nodes);

// Returns the nodes of the instance before and after the step, each once.
std::vector<NodeIndex> touched_nodes(const BalanceStep& step);

}  // namespace htools
