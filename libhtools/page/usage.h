// Says how much of a resource a node, or several nodes, use, reserve and have free: what a bar of the page shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// What of a resource is used. Memory and disk are in MiB, cpus in virtual CPUs.
struct Usage {
  double used = 0.0;      // of the total
  double reserved = 0.0;  // free, but kept for failovers (memory) or for growth (disk)
  double missing = 0.0;   // needed, but not there: reservations without memory, and what is used beyond the total
  double beyond = 0.0;    // used beyond the total; a part of what is missing
  double total = 0.0;     // what there is; of cpus, the virtual CPUs that the policy allows, if it limits them
  double physical = 0.0;  // of cpus: the physical ones; of others the total

  double all_used() const { return used + beyond; }
  double free() const { return total > used + reserved ? total - used - reserved : 0.0; }
  // Returns what is used or reserved, as a part of the total. 0 if there is nothing.
  double committed_share() const { return total > 0.0 ? (used + reserved + missing) / total : 0.0; }
  Usage& operator+=(const Usage& other);
};

// A resource that bars show.
enum class BarResource : std::uint8_t { Memory, Disk, Cpus };
inline constexpr std::array<std::string_view, 3> kBarResourceNames{"Memory", "Disk", "CPUs"};
inline constexpr std::array<BarResource, 3> kBarResources{BarResource::Memory, BarResource::Disk, BarResource::Cpus};

// Returns the usage of a node, or the sum over online nodes.
Usage usage_of(const Node& node, BarResource resource);
Usage usage_of(const Cluster& cluster, const std::vector<NodeIndex>& nodes, BarResource resource);

// True if the node has memory, disk and cpus within what it has and allows.
bool is_overcommitted(const Node& node);

// The unit in which a column of amounts is shown.
struct AmountUnit {
  std::string_view name;  // "GiB"; empty for cpus
  double size = 1.0;      // in units of Usage
  int decimals = 0;

  std::string text(double amount) const;
};
// Returns the unit that suits amounts up to `largest`.
AmountUnit unit_for(BarResource resource, double largest);

}  // namespace htools
