// Moves a drbd instance to two new nodes.
#pragma once

#include <variant>
#include <vector>

#include "allocate/evacuation.h"
#include "cluster/cluster.h"

namespace htools {

// Moves the instance to the pair of `targets` that gives `group` (all nodes of the target group, ascending) the best
// score. Among equal scores, the last pair wins, by primary and then by secondary. The instance gets there by a
// sequence of moves, each of which must be possible: a failover if the primary is offline, the replacement of the
// secondary by the new primary, a failover to it, and the replacement of the secondary by the new secondary. There must
// be at least two targets, none of them a node of the instance.
std::variant<Evacuated, EvacuationFailure> move_to_pair(Trial& trial, InstanceIndex instance,
                                                        const std::vector<NodeIndex>& targets,
                                                        const std::vector<NodeIndex>& group, bool force);

}  // namespace htools
