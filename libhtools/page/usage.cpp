#include "page/usage.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"

namespace htools {
namespace {

Usage memory_usage(const Node& node) {
  const double total = node.facts->total_memory;
  const auto unallocated = static_cast<double>(node.unallocated_memory());
  const auto reserved = static_cast<double>(node.books.reserved_memory);
  const double free = std::clamp(unallocated, 0.0, std::max(total, 0.0));
  return {.used = total - free,
          .reserved = std::min(reserved, free),
          .missing = std::max(0.0, reserved - unallocated),
          .beyond = std::max(0.0, -unallocated),
          .total = total,
          .physical = total};
}

Usage disk_usage(const Node& node) {
  const double total = node.facts->total_disk;
  const auto left = static_cast<double>(node.books.real.free_disk);
  const double free = std::clamp(left, 0.0, std::max(total, 0.0)), beyond = std::max(0.0, -left);
  return {.used = total - free,
          .reserved = std::clamp(static_cast<double>(node.facts->min_free_disk), 0.0, free),
          .missing = beyond,
          .beyond = beyond,
          .total = total,
          .physical = total};
}

Usage cpu_usage(const Node& node) {
  const auto used = static_cast<double>(node.books.real.used_vcpus);
  const double limit = node.facts->has_vcpu_limit() ? static_cast<double>(node.facts->max_vcpus)
                                                    : std::max(used, node.facts->total_cpus);
  return {.used = std::min(used, limit),
          .reserved = 0.0,
          .missing = std::max(0.0, used - limit),
          .beyond = std::max(0.0, used - limit),
          .total = limit,
          .physical = node.facts->total_cpus};
}

// The usage of each resource, in the order of BarResource.
constexpr std::array<Usage (*)(const Node&), 3> kUsages{memory_usage, disk_usage, cpu_usage};

constexpr double kBinaryStep = 1024.0;
// From an amount of ten of it on, a unit is used without decimals.
constexpr double kMostWithDecimal = 100.0;

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  used += other.used, reserved += other.reserved, missing += other.missing, beyond += other.beyond;
  total += other.total, physical += other.physical;
  return *this;
}

Usage usage_of(const Node& node, BarResource resource) { return kUsages[static_cast<std::size_t>(resource)](node); }

Usage usage_of(const Cluster& cluster, const std::vector<NodeIndex>& nodes, BarResource resource) {
  Usage sum;
  for (const NodeIndex n : nodes) {
    if (!cluster.node(n).offline) sum += usage_of(cluster.node(n), resource);
  }
  return sum;
}

bool is_overcommitted(const Node& node) {
  return std::any_of(kBarResources.begin(), kBarResources.end(),
                     [&](BarResource resource) { return usage_of(node, resource).missing > 0.0; });
}

std::string AmountUnit::text(double amount) const {
  return std::isfinite(amount) ? format_fixed(amount / size, decimals) : "–";
}

AmountUnit unit_for(BarResource resource, double largest) {
  if (resource == BarResource::Cpus) return {};
  constexpr std::array<std::string_view, 4> kUnits{"MiB", "GiB", "TiB", "PiB"};
  AmountUnit unit{.name = kUnits[0]};
  for (std::size_t u = 1; u < kUnits.size() && largest / unit.size >= 8 * kBinaryStep; ++u) {
    unit.name = kUnits[u];
    unit.size *= kBinaryStep;
  }
  unit.decimals = unit.size > 1.0 && largest / unit.size < kMostWithDecimal ? 1 : 0;
  return unit;
}

}  // namespace htools
