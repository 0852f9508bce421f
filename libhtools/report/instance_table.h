// Formats the instance table: one line per instance.
#pragma once

#include <span>
#include <string>

#include "cluster/cluster.h"

namespace htools {

// Returns a table with state, full names of the instance and its nodes, size (memory in MiB, disk in GiB) and
// utilisation. The instances are in the given order. The lines begin with one blank.
std::string format_instance_table(const Cluster& cluster, std::span<const InstanceIndex> instances);

}  // namespace htools
