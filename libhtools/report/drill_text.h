// Formats the results of drills (explain/drill.h) as text for people.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "explain/drill.h"

namespace htools {

// Returns what follows from one loss. Long lists are cut unless `in_full` is set.
std::string drill_text(const Cluster& cluster, const Drill& drill, bool in_full);

// Returns a line for each loss, and a line about all of them.
std::string drill_table_text(const Cluster& cluster, const DrillTable& table);

}  // namespace htools
