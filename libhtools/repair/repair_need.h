// Determines whether an instance needs a repair, and which one.
#pragma once

#include <cstdint>
#include <optional>

#include "cluster/cluster.h"
#include "repair/repair_record.h"

namespace htools {

// The ways to repair an instance.
enum class RepairMethod : std::uint8_t { ReplaceSecondary, FailOver, RecreateDisks };

// Returns the type of a repair by this method, which policies may limit.
RepairType type_of(RepairMethod method);

// Returns the repair that the instance needs. Returns nothing if it has lost none of its nodes or its disks are not on
// nodes, and also for an instance with the template drbd that has no secondary node, because its state is unknown.
std::optional<RepairMethod> needed_repair(const Cluster& cluster, const Instance& instance);

}  // namespace htools
