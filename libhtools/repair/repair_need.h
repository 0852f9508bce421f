// What is broken about an instance, and what repairs it.
#pragma once

#include <cstdint>
#include <optional>

#include "cluster/cluster.h"
#include "repair/repair_record.h"

namespace htools {

enum class RepairMethod : std::uint8_t { ReplaceSecondary, FailOver, RecreateDisks };

RepairType type_of(RepairMethod method);

// Nothing for an instance that has lost none of its nodes, or whose disks are not on nodes at all; nor for one of
// template drbd that has no secondary node, of which nothing is known.
std::optional<RepairMethod> needed_repair(const Cluster& cluster, const Instance& instance);

}  // namespace htools
