// Brings instances away from nodes that are to be emptied, whatever that does to the score.
#pragma once

#include <span>

#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/ordering.h"
#include "trial/trial.h"

namespace htools {

// Moves the instances of the group that are on these nodes, one after the other in index order, each with the allowed
// move that leads to the lowest score and to fewer of its nodes being among these; an instance with both nodes there
// moves twice. The moves are made on the trial. Instances without such a move stay. Forthcoming instances move, too.
Ordering departures(Trial& trial, const GroupMembers& members, std::span<const NodeIndex> nodes,
                    const MoveRules& rules);

}  // namespace htools
