#include "maintain/sufficiency.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "balance/move_generation.h"

namespace htools {

SufficiencyBounds::SufficiencyBounds(const Cluster& cluster, const Instance& wanted)
    : keeps_primary_(cluster.nodes.size(), false) {
  double size = 0.0;  // the sum of the absolute amounts
  const auto number = [&size](std::int64_t amount) {
    size += std::abs(static_cast<double>(amount));
    return static_cast<double>(amount);
  };
  std::vector<double> leaving(cluster.nodes.size(), 0.0);  // by node: MiB of the primaries that may move
  for (const Instance& instance : cluster.instances) {
    const std::size_t primary = instance.primary.position();
    const double memory = number(instance.facts->used_memory());
    ignores_memory_ = ignores_memory_ || memory < 0.0 || instance.primary == instance.secondary;
    instance_memory_ += memory;
    if (is_candidate(cluster, instance, MoveRules{})) {
      leaving[primary] += memory;
    } else {
      keeps_primary_[primary] = true;
    }
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    // Some memory must be left when the wanted instance has come.
    const double kept = number(wanted.facts->used_memory()) + number(1);
    const double unallocated = number(node.unallocated_memory());
    spare_memory_.push_back(unallocated + number(node.books.instance_memory) - kept);
    has_full_node_ = has_full_node_ || unallocated + leaving[n] < kept;
  }
  constexpr double kExact = 0x1p53;  // sums of integers below this have no rounding errors
  ignores_memory_ = ignores_memory_ || !(size < kExact);
}

bool SufficiencyBounds::may_suffice(const Cluster& switched) const {
  double spare = 0.0;
  for (std::size_t n = 0; n < switched.nodes.size(); ++n) {
    if (!switched.nodes[n].offline) {
      spare += spare_memory_[n];
    } else if (keeps_primary_[n]) {
      return false;
    }
  }
  return ignores_memory_ || (!has_full_node_ && spare >= instance_memory_);
}

}  // namespace htools
