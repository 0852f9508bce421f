// The hard limits of nodes: memory, disk and spindles that do not exist. The rules are those of cluster/bookkeeping.h
// and cluster/admission.h (with `force`), for amounts alone: quick enough for instances that are moved on many times.
#pragma once

#include <cstdint>
#include <optional>

#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// What a real instance takes.
struct InstanceNeed {
  explicit InstanceNeed(const Instance& instance)
      : memory(instance.used_memory()),
        disk(instance.uses_local_storage() ? instance.disk : 0),
        spindles(instance.total_spindles()),
        local_storage(instance.uses_local_storage()),
        has_secondary(instance.has_secondary()) {}

  std::int64_t memory;  // MiB, on the primary
  std::int64_t disk;    // MiB
  std::optional<std::int64_t> spindles;
  bool local_storage;
  bool has_secondary;
};

// What is free on a node.
struct NodeRoom {
  explicit NodeRoom(const Node& node)
      : memory(node.unallocated_memory()),
        disk(node.books.real.free_disk),
        spindles(node.books.real.free_spindles),
        counts_spindles(node.exclusive_storage) {}

  void add_secondary(const InstanceNeed& need) {
    disk -= need.disk;
    if (counts_spindles) spindles = need.spindles ? spindles - *need.spindles : -1;
  }
  void remove_secondary(const InstanceNeed& need) {
    disk += need.disk;
    if (counts_spindles && need.spindles) spindles += *need.spindles;
  }
  void add_primary(const InstanceNeed& need) {
    memory -= need.memory;
    add_secondary(need);
  }
  void remove_primary(const InstanceNeed& need) {
    memory += need.memory;
    remove_secondary(need);
  }

  // Having added it: has there been enough?
  bool enough_for_primary(const InstanceNeed& need) const {
    return memory > 0 && (!need.local_storage || enough_storage());
  }
  bool enough_for_secondary() const { return enough_storage(); }  // of an instance that has one

  std::int64_t memory;    // MiB
  std::int64_t disk;      // MiB
  std::int64_t spindles;  // meaningful with exclusive storage only
  bool counts_spindles;   // exclusive storage

 private:
  bool enough_storage() const { return disk > 0 && (!counts_spindles || spindles >= 0); }
};

}  // namespace htools
