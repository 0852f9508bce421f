#include "repair/repair_need.h"

#include <array>
#include <cstddef>

namespace htools {
namespace {

// The types of repairs, in the order of RepairMethod.
constexpr std::array<RepairType, 3> kRepairTypes{RepairType::FixStorage, RepairType::Failover, RepairType::Reinstall};

}  // namespace

RepairType type_of(RepairMethod method) { return kRepairTypes[static_cast<std::size_t>(method)]; }

std::optional<RepairMethod> needed_repair(const Cluster& cluster, const Instance& instance) {
  if (!instance.facts->uses_local_storage()) return std::nullopt;
  const bool primary_lost = cluster.node(instance.primary).offline;
  if (!instance.facts->has_secondary()) return primary_lost ? std::optional(RepairMethod::RecreateDisks) : std::nullopt;
  if (instance.secondary.is_none()) return std::nullopt;
  const bool secondary_lost = cluster.node(instance.secondary).offline;
  if (primary_lost) return secondary_lost ? RepairMethod::RecreateDisks : RepairMethod::FailOver;
  return secondary_lost ? std::optional(RepairMethod::ReplaceSecondary) : std::nullopt;
}

}  // namespace htools
