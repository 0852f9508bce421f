// Provides literal versions of the rules for moves of instances: the steps of each kind as the rules list them, on
// copies of the nodes. Only the admission checks and the bookkeeping of single nodes come from the code under test.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/moves.h"
#include "htools/refusal.h"

namespace htools::testing::literal {

// The result of a move: the nodes that it changes, and the instance in its new place.
struct Moved {
  Instance instance;
  std::vector<std::pair<NodeIndex, Node>> nodes;
};
using MoveOutcome = std::variant<Moved, FailMode>;

// Returns the failure if the migration tags do not allow an instance to move between the nodes.
std::optional<FailMode> migrate(const Node& from, const Node& to);

// Returns the result of the move, or the check that forbids it. It makes every check and every change of the nodes on
// the way, one after the other, and changes a node only after its checks have passed.
MoveOutcome moved(const Cluster& cluster, InstanceIndex i, const Move& move, bool force);

void apply(Cluster& cluster, InstanceIndex i, const Moved& result);

std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                             const MoveRules& rules);

std::vector<Move> moves_of(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                           const MoveRules& rules);

}  // namespace htools::testing::literal
