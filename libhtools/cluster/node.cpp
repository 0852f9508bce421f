#include "cluster/node.h"

#include <algorithm>

#include "base/numbers.h"
#include "cluster/ratios.h"

namespace htools {

bool NodeFacts::has_vcpu_limit() const { return vcpu_ratio_limit >= 0 && vcpu_ratio_limit < kNoRatio; }

std::int64_t Node::available_memory() const {
  return std::max<std::int64_t>(0, unallocated_memory() - books.reserved_memory);
}

std::int64_t Node::available_disk() const {
  return books.real.free_disk < facts->min_free_disk ? 0 : books.real.free_disk - facts->min_free_disk;
}

std::int64_t Node::used_disk() const { return truncate_to_int(facts->total_disk) - books.real.free_disk; }

void reset_books(Node& node) {
  NodeBooks& b = node.books = NodeBooks{};
  for (Ledger* ledger : {&b.real, &b.forthcoming}) {
    ledger->free_disk = node.facts->free_disk;
    ledger->free_spindles = node.facts->free_spindles;
    ledger->used_vcpus = node.facts->node_cpus;
    ledger->disk_ratio = free_disk_ratio(*node.facts, node.facts->free_disk, node.facts->free_spindles);
    ledger->vcpu_ratio = static_cast<double>(node.facts->node_cpus) / node.facts->total_cpus;
  }
  b.forthcoming_free_memory = node.facts->free_memory;
  b.forthcoming.memory_ratio = static_cast<double>(node.facts->free_memory) / node.facts->total_memory;
  node.primaries.clear();
  node.secondaries.clear();
  node.peers = {};
  node.primary_tags = {};
  node.location_exclusion = {};
}

bool migration_allowed(const Node& source, const Node& target) {
  return source.facts->migration_tags.subset_of(target.facts->receivable_migration_tags);
}

}  // namespace htools
