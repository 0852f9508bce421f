// Both nodes of a drbd instance change.
#pragma once

#include <variant>
#include <vector>

#include "allocate/evacuation.h"
#include "cluster/cluster.h"

namespace htools {

// Moves the instance to the pair of two `targets` after which `group` (all nodes of the target group, ascending) has
// the best score; equal: the last pair, by primary and then by secondary. The way there is a sequence of moves, each of
// which must be possible: a failover if the primary is offline, the new primary as secondary, a failover to it, the new
// secondary. There are at least two targets, and none is a node of the instance.
std::variant<Evacuated, EvacuationFailure> move_to_pair(Trial& trial, InstanceIndex instance,
                                                        const std::vector<NodeIndex>& targets,
                                                        const std::vector<NodeIndex>& group, bool force);

}  // namespace htools
