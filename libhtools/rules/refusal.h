// Explains to people why candidates are refused: the same reasons that engines count, with nodes and amounts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "htools/refusal.h"

namespace htools {

// Returns the class of a refusal, as engines count it.
FailMode mode_of(const Refusal& refusal);

// Returns how far the amounts that a rule compared are apart, as a fraction of what is needed: from 0 on, and usually
// below 1. Infinity if the rule compares no amounts, or if more of them would not help, as with exclusion tags.
double lacking(const Shortage& shortage);
double lacking(const Refusal& refusal);

// Returns the refusal that lacks least, the first of those that lack equally; nothing if there are none.
std::optional<Refusal> nearest_refusal(std::span<const Refusal> refusals);

// Returns why the node refuses to be secondary of a new instance if `primary` is its primary; nothing if it does not.
// Without a primary, no memory is reserved yet for its failure.
std::optional<Refusal> refusal_of_secondary(const Cluster& cluster, NodeIndex node, const Instance& instance,
                                            NodeIndex primary);

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
