// Formats the answer to the question where new instances would go as text for people.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "explain/place_explanation.h"

namespace htools {

// Returns the place, what each group says, and what would make room. Lists all refusals one by one if `in_full` is set.
std::string place_explanation_text(const Cluster& cluster, const PlaceExplanation& explanation, bool in_full);

}  // namespace htools
