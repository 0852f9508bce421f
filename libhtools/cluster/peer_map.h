// What a node reserves for failovers, per primary node of the instances it is secondary of.
#pragma once

#include <cstdint>
#include <vector>

#include "base/index.h"

namespace htools {

// Amounts in MiB, kept in descending order. An entry that is added or changed goes before entries of equal amount; this
// order is visible in the node field `peermap`.
class PeerMap {
 public:
  // What the instances of one primary would need here.
  struct Entry {
    NodeIndex primary;
    std::int64_t memory;
  };

  // 0 if there is no entry.
  std::int64_t memory_for(NodeIndex primary) const {
    for (const Entry& e : entries_) {
      if (e.primary == primary) return e.memory;
    }
    return 0;
  }
  std::int64_t max() const { return entries_.empty() ? 0 : entries_.front().memory; }
  // The maximum if the entry of `primary` had the amount `memory`.
  std::int64_t max_with(NodeIndex primary, std::int64_t memory) const {
    for (const Entry& e : entries_) {
      if (e.primary != primary) return e.memory > memory ? e.memory : memory;
    }
    return memory;
  }
  std::int64_t sum() const {
    std::int64_t total = 0;
    for (const Entry& e : entries_) total += e.memory;
    return total;
  }
  void set(NodeIndex primary, std::int64_t memory) {
    erase(primary);
    auto it = entries_.begin();
    while (it != entries_.end() && it->memory > memory) ++it;
    entries_.insert(it, Entry{primary, memory});
  }
  void erase(NodeIndex primary) {
    std::erase_if(entries_, [primary](const Entry& e) { return e.primary == primary; });
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace htools
