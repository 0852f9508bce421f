// Orders moves: finds a sequence of allowed moves from the present placement of instances to a wanted one.
//
// Each step is the allowed move towards the wanted placement after which the score is lowest. Moves after which
// migration tags forbid the rest of the way are not made; those after which the primary node still has to be replaced
// come last, because the secondary node has to run the instance for that. If no move is allowed, instances stand in
// each other's way: in a circle, or because one needs a node for a while that others fill. Then a detour of another
// instance is looked for that lets one of them go on: first detours that copy nothing, then those of instances that
// have to move anyway, then the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "balance/immovable.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "trial/trial.h"

namespace htools {

// The place that an instance is to have in the end.
struct WantedPlacement {
  InstanceIndex instance;
  Placement placement;
};

// The reason why an instance is not at its wanted place in the end.
enum class UnreachedReason : std::uint8_t {
  Refused,      // a rule forbids the next move, and no detour was found that helps
  NotMovable,   // the instance may not move at all, or not with these rules
  OtherGroup,   // the place is in another node group
  OtherShape,   // the place has a secondary node and the instance cannot have one, or the other way round
  OfflineNode,  // the place is on an offline node
  CordonedNode  // the place is on a node that receives nothing, and the instance is not there
};

// An instance that is not at its wanted place in the end.
struct Unreached {
  WantedPlacement wanted;
  UnreachedReason reason;
  std::optional<Refusal> refusal;  // set if the reason is Refused: of the next move towards the place
  // Set if the reason is NotMovable and one cause can be named.
  std::optional<Immovable> immovable = {};
};

// A step of an ordered plan.
struct OrderedStep {
  BalanceStep step;
  // If the step is a detour: the position of the step in the sequence that it makes possible.
  std::optional<std::size_t> enables;
};

// The result of ordering.
struct Ordering {
  std::vector<OrderedStep> steps;
  std::vector<Unreached> unreached;
};

// Returns these steps, none of which is a detour.
Ordering ordering_of(const std::vector<BalanceStep>& steps);
// Returns the steps of one plan, and then those of another one that begins where it ends.
Ordering concatenated(const Ordering& first, const Ordering& second);

// How hard a way is looked for if some instance is not at its place in the end.
struct OrderingEffort {
  std::uint64_t orders = 24;      // that are tried with detours
  std::size_t detours = 100'000;  // that are tried in all orders together: some seconds
};

// Makes the moves on the trial, within one node group; they are not undone. `wanted` has each instance of the group at
// most once. The rules are those of balancing; with `rules.evacuation`, an instance that has left the offline nodes
// makes no further move.
Ordering order_moves(Trial& trial, const GroupMembers& members, const std::vector<WantedPlacement>& wanted,
                     const MoveRules& rules, const OrderingEffort& effort = {});

// Returns moves that lead directly to where the plan leads, if they do and are not more; otherwise the plan.
Ordering order_anew(const Cluster& start, const GroupMembers& members, const Ordering& plan, const MoveRules& rules,
                    const OrderingEffort& effort);

// The moves that bring one instance to its place, without the help of others.
struct DirectMoves {
  std::vector<BalanceStep> steps;      // at most two; none if it cannot be reached
  std::optional<Unreached> unreached;  // why it cannot
};
// Makes the moves on the trial, if all of them are allowed.
DirectMoves make_direct_moves(Trial& trial, const GroupMembers& members, const WantedPlacement& wanted,
                              const MoveRules& rules);

}  // namespace htools
