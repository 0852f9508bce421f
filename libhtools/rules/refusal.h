// Why candidates are refused, for people: the reasons that engines count, with amounts and names.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "cluster/cluster.h"
#include "rules/admission.h"
#include "rules/move.h"

namespace htools {

// The loss of a node that would leave an instance without a place.
struct Homeless {
  NodeIndex node;
  InstanceIndex instance;  // none: the one that is to be placed
  bool outside_policy =
      false;  // it may not be created anywhere else, since it does not satisfy the policy of its group
};

// The migration tags of the instance's node do not allow it to come here.
struct NotReceivable {};

// Why a place is refused.
struct Refusal {
  // The refused nodes: a pair, or one node as primary or secondary, whatever the other one is.
  Placement place;
  std::variant<Shortage, NotReceivable, Homeless> reason;
};

// Of a new instance without capacity check, on single nodes or on pairs. `force`: the soft checks of the primary are
// left out. Of pairs: the refused primaries, the secondaries that refuse all primaries but perhaps some that they
// reserve memory for already, and the pairs that fail because of such a reservation.
std::vector<Refusal> refusals_of_nodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                                       const Instance& instance, bool force);
std::vector<Refusal> refusals_of_pairs(const Cluster& cluster, const std::vector<NodeIndex>& primaries,
                                       const std::vector<NodeIndex>& secondaries, const Instance& instance, bool force);

// Of the targets of one kind of move: the first check that forbids each. The kind must suit the instance's disk
// template.
std::vector<Refusal> refusals_of_moves(const Cluster& cluster, InstanceIndex instance, MoveKind kind,
                                       const std::vector<NodeIndex>& targets, bool force);

}  // namespace htools
