// Finds out by which factor all instances that are there may grow where they are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// What of an instance grows.
enum class InflatedResource : std::uint8_t { Memory, Disk, Cpus };
inline constexpr std::array<std::string_view, 3> kInflatedResourceNames{"memory", "disk", "cpus"};
constexpr std::string_view name(InflatedResource r) { return kInflatedResourceNames[static_cast<std::size_t>(r)]; }

// Factors are multiples of 1/1000, up to this one.
inline constexpr std::int64_t kMostInflation = 101'000;

// What limits the factor.
struct InflationLimit {
  std::string resource;          // "memory", "n+1", "disk" or "cpus"
  NodeIndex node;                // of the whole cluster: where it runs out, or which must not fail or has failed
  std::optional<double> needed;  // on the node, at the next larger factor; none for N+1
  std::optional<double> there;   // on the node
  std::string detail;            // for N+1: who would find no place
};

// The answer for a node group, or for all of them together.
struct Inflation {
  std::optional<GroupIndex> group;  // none: all groups
  std::optional<double> factor;     // up to kMostInflation / 1000; none: no limit below that
  std::optional<double> bound;      // no placement of the instances allows a larger one; none likewise
  std::optional<InflationLimit> limit;
};

// Returns the largest factor by which these resources of all instances may grow at the same time, by group and in all.
// No limit of an online node may be exceeded, and every node must be vacatable (survival/capacity_check.h), also those
// that are offline. Sizes are rounded up. Policies about the sizes of new instances count only for instances that would
// have to be created anew when a node is vacated. If a limit is exceeded already, the factor is 1.
std::vector<Inflation> max_inflation(const Cluster& cluster, const std::vector<InflatedResource>& resources,
                                     std::optional<GroupIndex> group, bool capacity_checks);

}  // namespace htools
