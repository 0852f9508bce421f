// Moves of instances, literally: the steps of each kind as the rules list them, on copies of the nodes. Only the
// admission checks and the bookkeeping of single nodes are those of the code under test.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "balance/move_generation.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "rules/fail_mode.h"
#include "rules/move.h"

namespace htools::testing::literal {

// The nodes that a move changes, and the instance in its new place.
struct Moved {
  Instance instance;
  std::vector<std::pair<NodeIndex, Node>> nodes;
};
using MoveOutcome = std::variant<Moved, FailMode>;

std::optional<FailMode> migrate(const Node& from, const Node& to);

// With every check and every change of the nodes on the way, one after the other. What the checks pass is added.
MoveOutcome moved(const Cluster& cluster, InstanceIndex i, const Move& move, bool force);

void apply(Cluster& cluster, InstanceIndex i, const Moved& result);

std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                             const MoveRules& rules);

std::vector<Move> moves_of(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                           const MoveRules& rules);

}  // namespace htools::testing::literal
