// Reads what objects of Kubernetes say about where pods and volumes may be.
#pragma once

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

// True if a pod with this `spec` may run on some nodes only, as its selector or node affinity has it. `nodes` are the
// labels of all nodes; what each of them has restricts nothing.
bool selects_nodes(const JsonObject& spec, const std::vector<JsonObject>& nodes);

// True if a persistent volume is on one node.
bool is_on_one_host(const JsonObject& volume);

}  // namespace htools
