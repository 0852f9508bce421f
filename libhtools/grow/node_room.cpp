#include "grow/node_room.h"

#include <algorithm>
#include <limits>

namespace htools {

namespace {

constexpr std::int64_t kUnlimitedVcpus = std::int64_t{1} << 53;

// Returns the most vcpus that can be added before the ratio of the ledger exceeds the limit of the node. It compares as
// the admission check does, so that rounding cannot make a difference.
std::int64_t vcpu_room(const Node& node, const Ledger& ledger) {
  const NodeFacts& facts = *node.facts;
  const auto is_over = [&](std::int64_t vcpus) {
    return facts.vcpu_ratio_limit >= 0 &&
           facts.vcpu_ratio_limit < static_cast<double>(ledger.used_vcpus + vcpus) / facts.total_cpus;
  };
  if (is_over(0)) return -1;
  std::int64_t low = 0, high = kUnlimitedVcpus;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_over(middle) ? high : low) = middle;
  }
  return low;
}

// Some disk must stay free, and at least what the user wants to keep.
std::int64_t disk_room(const Node& node, const Ledger& ledger) {
  return ledger.free_disk - std::max<std::int64_t>(1, node.facts->min_free_disk);
}

}  // namespace

NodeRoom::NodeRoom(const Node& node)
    : memory(std::min(node.unallocated_memory(), node.books.forthcoming_free_memory) - 1),
      disk(std::min(disk_room(node, node.books.real), disk_room(node, node.books.forthcoming))),
      vcpus(std::min(vcpu_room(node, node.books.real), vcpu_room(node, node.books.forthcoming))),
      disk_of_real(disk_room(node, node.books.real)),
      vcpus_of_real(vcpu_room(node, node.books.real)) {
  // A node that is not N+1 safe already is not protected against becoming less so.
  if (!node.books.n1_failed) {
    memory = std::min(memory, node.unallocated_memory() - node.books.reserved_memory - 1);
  }
}

bool NodeRoom::can_host(const Instance& instance) const {
  const InstanceFacts& f = *instance.facts;
  return f.memory <= memory && f.vcpus <= vcpus && (!f.uses_local_storage() || f.disk <= disk);
}

bool NodeRoom::can_mirror(const Instance& instance) const { return instance.facts->disk <= disk; }

WideAmount memory_limit(const Node& node) {
  const WideAmount limit = WideAmount{node.unallocated_memory()} + node.books.instance_memory - 1;
  return std::max<WideAmount>(limit, node.books.instance_memory);
}

WideAmount vcpu_limit(const Cluster& cluster, const Node& node) {
  WideAmount limit = NodeRoom(node).vcpus_of_real;
  for (const InstanceIndex i : node.primaries) limit += cluster.instance(i).facts->counted_vcpus();
  return limit;
}

}  // namespace htools
