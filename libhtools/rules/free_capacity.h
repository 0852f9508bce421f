// Computes with the hard limits of nodes as plain amounts: the memory, disk and spindles that an instance needs, and
// those that are free. The rules are those of cluster/bookkeeping.h and of rules/admission.h with `force`, for real
// instances. Plain amounts are much cheaper than books where many placements are tried.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// The amounts that a real (not forthcoming) instance takes from a node.
struct Demand {
  Demand() = default;
  explicit Demand(const Instance& instance)
      : memory(instance.facts->used_memory()),
        disk(instance.facts->uses_local_storage() ? instance.facts->disk : 0),
        spindles(instance.facts->total_spindles()),
        local_storage(instance.facts->uses_local_storage()),
        has_secondary(instance.facts->has_secondary()) {}

  bool operator==(const Demand&) const = default;

  std::int64_t memory = 0;                   // MiB; taken from the primary node only
  std::int64_t disk = 0;                     // MiB; 0 without local storage
  std::optional<std::int64_t> spindles = 0;  // of all disks together; empty if unknown
  bool local_storage = false;
  bool has_secondary = false;
};

// The amounts that are free on a node. The default stands for a node that no instance fits on.
struct FreeCapacity {
  FreeCapacity() = default;
  explicit FreeCapacity(const Node& node)
      : memory(node.unallocated_memory()),
        disk(node.books.real.free_disk),
        spindles(node.books.real.free_spindles),
        counts_spindles(node.facts->exclusive_storage) {}

  // Without a known number of spindles, an added instance sets the free spindles to -1, which is never enough; a
  // removed one leaves them as they are.
  void add_secondary(const Demand& demand) {
    disk -= demand.disk;
    if (counts_spindles) spindles = demand.spindles ? spindles - *demand.spindles : -1;
  }
  void remove_secondary(const Demand& demand) {
    disk += demand.disk;
    if (counts_spindles && demand.spindles) spindles += *demand.spindles;
  }
  void add_primary(const Demand& demand) {
    memory -= demand.memory;
    add_secondary(demand);
  }
  void remove_primary(const Demand& demand) {
    memory += demand.memory;
    remove_secondary(demand);
  }

  // True if there was enough for the instance that has just been added: some memory and some disk must be left, and the
  // free spindles must not be negative.
  bool enough_for_primary(const Demand& demand) const {
    return memory > 0 && (!demand.local_storage || enough_storage());
  }
  // The same for a secondary; the instance's disk template must have one.
  bool enough_for_secondary() const { return enough_storage(); }
  // The same for storage alone. `ignore_disk` accepts a node without free disk.
  bool enough_storage(bool ignore_disk = false) const {
    return (ignore_disk || disk > 0) && (!counts_spindles || spindles >= 0);
  }

  std::int64_t memory = std::numeric_limits<std::int64_t>::min() / 4;  // MiB; unallocated
  std::int64_t disk = 0;                                               // MiB
  std::int64_t spindles = 0;                                           // meaningful with exclusive storage only
  bool counts_spindles = false;                                        // true with exclusive storage
};

}  // namespace htools
