// Explains to people why candidates are refused: the same reasons that engines count, with nodes and amounts.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "cluster/cluster.h"
#include "rules/admission.h"
#include "rules/move.h"

namespace htools {

// The reason that the loss of `node` would leave one of its instances without a place.
struct Homeless {
  NodeIndex node;
  InstanceIndex instance;  // none stands for the instance that is to be placed
  // True if the instance would have to be created anew, but does not satisfy the policy of its group.
  bool outside_policy = false;
};

// The reason that migration tags forbid to move the instance from its node to the refused one.
struct NotReceivable {};

// A refused placement and the reason.
struct Refusal {
  // The refused nodes: a pair, or a single node in the role of primary or secondary. In the latter case the other role
  // is none, and the refusal holds whatever node has it.
  Placement place;
  std::variant<Shortage, NotReceivable, Homeless> reason;
};

// Return the refusals of a new instance on single nodes or on pairs of nodes. The capacity check is not made. `force`
// leaves out the soft checks of the primary. For pairs, the result lists the refused primaries; the secondaries that
// refuse even if they reserve no memory yet for failures of the primary; and the pairs that are refused only because
// the secondary already reserves memory for failures of that primary.
std::vector<Refusal> refusals_of_nodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                                       const Instance& instance, bool force);
std::vector<Refusal> refusals_of_pairs(const Cluster& cluster, const std::vector<NodeIndex>& primaries,
                                       const std::vector<NodeIndex>& secondaries, const Instance& instance, bool force);

// Returns the refused ones of the targets, each with the first check that forbids this kind of move to it. The kind
// must suit the instance's disk template.
std::vector<Refusal> refusals_of_moves(const Cluster& cluster, InstanceIndex instance, MoveKind kind,
                                       const std::vector<NodeIndex>& targets, bool force);

}  // namespace htools
