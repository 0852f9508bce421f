// Records how much memory a node reserves for failovers, per primary node of the instances that it is the secondary of.
#pragma once

#include <cstdint>
#include <vector>

#include "htools/index.h"

namespace htools {

// The memory that a node reserves for each other node, in MiB and in descending order. An entry that is added or
// changed goes before entries of equal amount; this order is visible in the node field `peermap`.
class PeerMap {
 public:
  // The memory that the instances of one primary node would need here if that node failed.
  struct Entry {
    NodeIndex primary;
    std::int64_t memory;
  };

  // Returns the amount for `primary`, or 0 if there is no entry.
  std::int64_t memory_for(NodeIndex primary) const {
    for (const Entry& e : entries_) {
      if (e.primary == primary) return e.memory;
    }
    return 0;
  }
  // Returns the largest amount, or 0 if the map is empty.
  std::int64_t max() const { return entries_.empty() ? 0 : entries_.front().memory; }
  // Returns the largest amount if that of `primary` were `memory`.
  std::int64_t max_with(NodeIndex primary, std::int64_t memory) const {
    for (const Entry& e : entries_) {
      if (e.primary != primary) return e.memory > memory ? e.memory : memory;
    }
    return memory;
  }
  // Returns the largest amount if there were no entry for `primary`, or 0 if the map were empty.
  std::int64_t max_without(NodeIndex primary) const {
    for (const Entry& e : entries_) {
      if (e.primary != primary) return e.memory;
    }
    return 0;
  }
  std::int64_t sum() const {
    std::int64_t total = 0;
    for (const Entry& e : entries_) total += e.memory;
    return total;
  }
  // Sets the amount for `primary`.
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

  friend void swap(PeerMap& a, PeerMap& b) noexcept { a.entries_.swap(b.entries_); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace htools
