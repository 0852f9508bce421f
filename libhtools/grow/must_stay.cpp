#include "grow/must_stay.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "grow/bounds.h"
#include "grow/node_room.h"

namespace htools {
namespace {

// Returns the spindles that the ratio of the policy leaves on the node, rounded up.
WideAmount spindles_left(const Node& node) {
  constexpr double kUnlimited = 1e15;
  const double left = node.facts->max_instance_spindles - node.books.real.instance_spindles;
  return left < kUnlimited ? static_cast<WideAmount>(std::ceil(std::max(0.0, left)))
                           : static_cast<WideAmount>(kUnlimited);
}

}  // namespace

std::int64_t nodes_that_must_stay(const Cluster& cluster, GroupIndex group, bool capacity_checks) {
  std::vector<WideAmount> memory, disk, vcpus, spindles;
  WideAmount used_memory = 0, used_disk = 0, used_vcpus = 0, used_spindles = 0;
  bool has_spindle_ratio = true;
  for (const Node& node : cluster.nodes) {
    if (node.facts->group != group) continue;
    WideAmount node_disk = 0, node_vcpus = 0, node_spindles = 0;
    const auto add = [&](InstanceIndex i, bool is_primary) {
      const InstanceFacts& f = *cluster.instance(i).facts;
      if (f.uses_local_storage()) {
        node_disk += std::max<std::int64_t>(0, f.disk);
        node_spindles += std::max<std::int64_t>(0, f.spindle_use);
      }
      if (is_primary) node_vcpus += std::max<std::int64_t>(0, f.counted_vcpus());
    };
    for (const InstanceIndex i : node.primaries) add(i, true);
    for (const InstanceIndex i : node.secondaries) add(i, false);
    used_memory += node.books.instance_memory;
    used_disk += node_disk;
    used_vcpus += node_vcpus;
    used_spindles += node_spindles;
    if (node.facts->exclusive_storage) has_spindle_ratio = false;
    if (node.offline) continue;
    const NodeRoom room(node);
    memory.push_back(std::max<WideAmount>(0, memory_limit(node)));
    disk.push_back(node_disk + std::max<std::int64_t>(0, room.disk_of_real));
    vcpus.push_back(node_vcpus + std::max<std::int64_t>(0, room.vcpus_of_real));
    spindles.push_back(node_spindles + spindles_left(node));
  }
  // The fewest of the largest that hold `used`; `lost` of them must not be needed.
  const auto fewest = [](std::vector<WideAmount>& limits, WideAmount used, std::size_t lost) {
    std::sort(limits.begin(), limits.end(), std::greater<>());
    std::size_t count = 0;
    while (used > 0 && count + lost < limits.size()) used -= limits[lost + count++];
    return count == 0 ? std::int64_t{0} : static_cast<std::int64_t>(count + lost);
  };
  return std::max({fewest(memory, used_memory, capacity_checks ? 1 : 0), fewest(disk, used_disk, 0),
                   fewest(vcpus, used_vcpus, 0), has_spindle_ratio ? fewest(spindles, used_spindles, 0) : 0});
}

}  // namespace htools
