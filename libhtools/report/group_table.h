// Formats the group table: one line per node group.
#pragma once

#include <span>
#include <string>

#include "cluster/cluster.h"
#include "htools/examine.h"

namespace htools {

// Returns the table with the groups in the given order. Its lines begin with three blanks.
std::string format_group_table(const Cluster& cluster, std::span<const GroupExamination> groups);

}  // namespace htools
