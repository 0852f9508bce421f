// Formats the answers to questions about one instance, one node or the score as text for people.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "explain/instance_explanation.h"
#include "explain/node_explanation.h"
#include "explain/score_explanation.h"

namespace htools {

// Return the answers as lines. Long lists are cut unless `in_full` is set.
std::string instance_text(const Cluster& cluster, const InstanceExplanation& explanation, bool in_full);
std::string move_text(const Cluster& cluster, const MoveExplanation& explanation);
std::string node_text(const Cluster& cluster, const NodeExplanation& explanation, bool in_full);
std::string score_text(const Cluster& cluster, const ScoreExplanation& explanation, bool in_full);

// Returns a line for a group of refusals: "31 nodes as primary: needs 8192 MiB of memory, 6144 MiB are free (nearest:
// node7)". `instance` is the name of the instance that is refused.
std::string refusal_group_text(const Cluster& cluster, std::string_view instance, const RefusalGroup& group);

// Returns full names of the nodes, the primary first: "node1:node2".
std::string place_text(const Cluster& cluster, const Placement& place);

}  // namespace htools
