// Reads what objects of Kubernetes say about where pods and volumes may be.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platforms/json_values.h"

namespace htools {

// Returns what a rule of pod affinity demands of the labels of other pods: texts "KEY=VALUE", "KEY-OPERATOR" and
// "KEY-OPERATOR-VALUE:VALUE".
std::set<std::string> demands_of(const JsonObject& rule);

// True if the labels of a pod are what the rule demands.
bool fulfils(const JsonObject& labels, const JsonObject& rule);

// A node, and its labels if the export has them.
struct LabelledNode {
  std::string name;
  std::optional<JsonObject> labels;
};

// Which nodes a pod may run on.
struct NodeChoice {
  // What only some nodes fulfil, "KEY:VALUE+KEY:VALUE" in order; empty if the pod may run on each node.
  std::string demands;
  bool is_known = false;        // whether the export says which nodes fulfil that
  std::set<std::string> nodes;  // that fulfil it
};

// Returns which of the nodes a pod with this `spec` may run on, as its selector and its required node affinity have it.
NodeChoice choice_of_nodes(const JsonObject& spec, const std::vector<LabelledNode>& nodes);

// True if a persistent volume is on one node.
bool is_on_one_host(const JsonObject& volume);

}  // namespace htools
