#include "cluster/bookkeeping.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {

namespace {

// The kind of a change: an instance comes to a node or leaves it.
enum class Direction { Add, Remove };

// Returns +1 when adding and -1 when removing: the sign of the amount that the instance takes.
std::int64_t sign(Direction d) { return d == Direction::Add ? 1 : -1; }

// Returns the spindles in use after the change; always 0 with exclusive storage, where free spindles are counted
// instead.
double spindles_in_use(double current, const NodeFacts& node, const InstanceFacts& instance, Direction d) {
  if (node.exclusive_storage) return 0.0;
  const double use = instance.uses_local_storage() ? static_cast<double>(instance.spindle_use) : 0.0;
  return d == Direction::Add ? current + use : current - use;
}

// Returns the free spindles after the change. Only nodes with exclusive storage count them; others lose a reported
// value at the first change. If the instance's spindles are unknown, adding it gives -1.
std::int64_t free_spindles(std::int64_t current, const NodeFacts& node, const InstanceFacts& instance, Direction d) {
  if (!node.exclusive_storage) return 0;
  if (const auto total = instance.total_spindles()) return current - sign(d) * *total;
  return d == Direction::Add ? -1 : current;
}

inline void change_storage(Ledger& ledger, const NodeFacts& node, const InstanceFacts& instance, Direction d) {
  if (instance.uses_local_storage()) ledger.free_disk -= sign(d) * instance.disk;
  ledger.free_spindles = free_spindles(ledger.free_spindles, node, instance, d);
  ledger.disk_ratio = free_disk_ratio(node, ledger.free_disk, ledger.free_spindles);
}

void change_vcpus(Ledger& ledger, const NodeFacts& node, const InstanceFacts& instance, Direction d) {
  ledger.used_vcpus += sign(d) * instance.counted_vcpus();
  ledger.vcpu_ratio = static_cast<double>(ledger.used_vcpus) / node.total_cpus;
}

void change_load(Load& load, const Load& change, Direction d) { d == Direction::Add ? load += change : load -= change; }

Load disk_load(const Instance& instance) { return {0.0, 0.0, instance.facts->utilisation.disk, 0.0}; }

// Returns the tag conflicts after the change: occurrences of exclusion tags minus distinct tags. An added tag conflicts
// unless it is the first of its kind; a removed one takes a conflict away unless it was the only one.
std::int64_t tag_conflicts(const Node& node, const NodeBooks& books, const Instance& instance, Direction d) {
  boost::container::small_vector<std::string_view, 8> tags(instance.facts->exclusion_tags().begin(),
                                                           instance.facts->exclusion_tags().end());
  std::sort(tags.begin(), tags.end());
  std::int64_t conflicts = books.tag_conflicts;
  for (auto tag = tags.begin(); tag != tags.end();) {
    const auto next = std::find_if(tag, tags.end(), [tag](std::string_view other) { return other != *tag; });
    const std::int64_t before = node.primary_tags.count(*tag), times = next - tag;
    conflicts += d == Direction::Add ? times - (before > 0 ? 0 : 1) : -std::clamp<std::int64_t>(before - 1, 0, times);
    tag = next;
  }
  return conflicts;
}

// False for an instance that names one node as primary and secondary: only that node's list of secondaries contains it.
bool is_listed_as_primary(const Instance& instance) {
  return instance.secondary.is_none() || instance.primary != instance.secondary;
}

// Changes the books, which may be the node's own, as if the instance came to the node as primary or left it.
template <Direction d>
void change_primary(NodeBooks& b, const Node& node, const Instance& instance) {
  const NodeFacts& host = *node.facts;
  const InstanceFacts& facts = *instance.facts;
  if (!facts.forthcoming) {
    b.instance_memory += sign(d) * facts.used_memory();
    const std::int64_t free = node.unallocated_memory(b);
    b.n1_failed = free <= b.reserved_memory;
    b.real.memory_ratio = static_cast<double>(free) / host.total_memory;
    b.real.instance_spindles = spindles_in_use(b.real.instance_spindles, host, facts, d);
    change_storage(b.real, host, facts, d);
    change_vcpus(b.real, host, facts, d);
    change_load(b.load, facts.utilisation, d);
    b.location_score += sign(d) * (instance.location_score + desired_location_misses(node, instance));
    if (d == Direction::Add || is_listed_as_primary(instance)) b.primary_count += sign(d);
  }
  if (!facts.exclusion_tags().empty()) b.tag_conflicts = tag_conflicts(node, b, instance, d);
  b.forthcoming_free_memory -= sign(d) * facts.memory;
  b.forthcoming.memory_ratio = static_cast<double>(b.forthcoming_free_memory) / host.total_memory;
  b.forthcoming.instance_spindles = spindles_in_use(b.forthcoming.instance_spindles, host, facts, d);
  change_storage(b.forthcoming, host, facts, d);
  change_vcpus(b.forthcoming, host, facts, d);
}

// Changes the books, which may be the node's own, as if the instance came to the node as secondary or left it.
// `reserved_memory` is in MiB and holds after the change.
template <Direction d>
void change_secondary(NodeBooks& b, const Node& node, const Instance& instance, std::int64_t reserved_memory) {
  const NodeFacts& host = *node.facts;
  const InstanceFacts& facts = *instance.facts;
  if (!facts.forthcoming) {
    b.real.instance_spindles = spindles_in_use(b.real.instance_spindles, host, facts, d);
    change_storage(b.real, host, facts, d);
    change_load(b.load, disk_load(instance), d);
    b.reserved_memory = reserved_memory;
    b.reserved_ratio = static_cast<double>(reserved_memory) / host.total_memory;
    b.n1_failed = node.unallocated_memory(b) <= reserved_memory;
    b.secondary_count += sign(d);
  }
  b.forthcoming.instance_spindles = spindles_in_use(b.forthcoming.instance_spindles, host, facts, d);
  change_storage(b.forthcoming, host, facts, d);
}

// The memory that a node reserves for the failure of one primary node, before and after an instance of that node leaves
// it as secondary, in MiB.
struct LeavingReservation {
  std::int64_t before;
  std::int64_t after;  // negative if less than the instance's memory is reserved

  LeavingReservation(const Node& node, const Instance& instance, NodeIndex primary)
      : before(node.peers.memory_for(primary)), after(before - instance.facts->secondary_memory()) {}

  // Returns the memory that the node reserves for the failure of any one node, after the instance has left.
  std::int64_t largest_after(const Node& node, const NodeBooks& books, NodeIndex primary) const {
    if (before < books.reserved_memory) return books.reserved_memory;
    return after > 0 ? node.peers.max_with(primary, after) : node.peers.max_without(primary);
  }
};

// Returns the memory that the node reserves for the failure of `primary`, in MiB, after the instance has come to it as
// secondary.
std::int64_t reserved_with(const Node& node, const Instance& instance, NodeIndex primary) {
  return node.peers.memory_for(primary) + instance.facts->secondary_memory();
}

// Removes an instance from a list. The list has the newest instance last, so of several equal entries the last one
// goes.
void erase_newest(std::vector<InstanceIndex>& list, InstanceIndex index) {
  const auto it = std::find(list.rbegin(), list.rend(), index);
  if (it != list.rend()) list.erase(std::next(it).base());
}

// Adds the instance's exclusion tags to the node's counts, or removes them. Few instances have such tags.
void change_some_tags(Node& node, const Instance& instance, Direction d) {
  const auto change = [d](auto& counts, const auto& key) {
    d == Direction::Add ? counts.add(key) : counts.remove(key);
  };
  for (const std::string_view tag : instance.facts->exclusion_tags()) change(node.primary_tags, tag);
  if (instance.facts->forthcoming) return;
  for (const std::string& location : node.facts->location_tags.tags()) {
    for (const std::string_view tag : instance.facts->exclusion_tags()) {
      change(node.location_exclusion, TagPairCounts::Entry::first_type{location, tag});
    }
  }
}

// Does the same for any instance.
inline void change_tags(Node& node, const Instance& instance, Direction d) {
  if (!instance.facts->exclusion_tags().empty()) change_some_tags(node, instance, d);
}

}  // namespace

NodeBooks books_with_primary(const Node& node, const NodeBooks& books, const Instance& instance) {
  NodeBooks after = books;
  change_primary<Direction::Add>(after, node, instance);
  return after;
}

NodeBooks books_without_primary(const Node& node, const NodeBooks& books, const Instance& instance) {
  NodeBooks after = books;
  change_primary<Direction::Remove>(after, node, instance);
  return after;
}

NodeBooks books_with_secondary(const Node& node, const NodeBooks& books, const Instance& instance, NodeIndex primary) {
  NodeBooks after = books;
  const std::int64_t for_primary = reserved_with(node, instance, primary);
  change_secondary<Direction::Add>(after, node, instance, std::max(books.reserved_memory, for_primary));
  return after;
}

NodeBooks books_without_secondary(const Node& node, const NodeBooks& books, const Instance& instance,
                                  NodeIndex primary) {
  NodeBooks after = books;
  const LeavingReservation reservation(node, instance, primary);
  change_secondary<Direction::Remove>(after, node, instance, reservation.largest_after(node, books, primary));
  return after;
}

void add_primary(Node& node, InstanceIndex index, const Instance& instance) {
  change_primary<Direction::Add>(node.books, node, instance);
  if (!instance.facts->forthcoming) node.primaries.push_back(index);
  change_tags(node, instance, Direction::Add);
}

void remove_primary(Node& node, InstanceIndex index, const Instance& instance) {
  change_primary<Direction::Remove>(node.books, node, instance);
  if (!instance.facts->forthcoming) erase_newest(node.primaries, index);
  change_tags(node, instance, Direction::Remove);
}

void add_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary) {
  const std::int64_t for_primary = reserved_with(node, instance, primary);
  change_secondary<Direction::Add>(node.books, node, instance, std::max(node.books.reserved_memory, for_primary));
  if (instance.facts->forthcoming) return;
  node.secondaries.push_back(index);
  node.peers.set(primary, for_primary);
}

void remove_secondary(Node& node, InstanceIndex index, const Instance& instance, NodeIndex primary) {
  const LeavingReservation reservation(node, instance, primary);
  change_secondary<Direction::Remove>(node.books, node, instance, reservation.largest_after(node, node.books, primary));
  if (instance.facts->forthcoming) return;
  erase_newest(node.secondaries, index);
  reservation.after > 0 ? node.peers.set(primary, reservation.after) : node.peers.erase(primary);
}

void attach_primary(Node& node, InstanceIndex index, const Instance& instance) {
  NodeBooks& b = node.books;
  if (!instance.facts->forthcoming) {
    node.primaries.push_back(index);
    b.primary_count += 1;
    b.real.instance_spindles = spindles_in_use(b.real.instance_spindles, *node.facts, *instance.facts, Direction::Add);
    change_vcpus(b.real, *node.facts, *instance.facts, Direction::Add);
    b.load += instance.facts->utilisation;
    b.location_score += instance.location_score + desired_location_misses(node, instance);
  } else {
    change_storage(b.forthcoming, *node.facts, *instance.facts, Direction::Add);
  }
  b.tag_conflicts = tag_conflicts(node, b, instance, Direction::Add);
  change_tags(node, instance, Direction::Add);
  change_vcpus(b.forthcoming, *node.facts, *instance.facts, Direction::Add);
  if (!instance.facts->uses_memory()) b.forthcoming_free_memory -= instance.facts->memory;
  b.forthcoming.memory_ratio = static_cast<double>(b.forthcoming_free_memory) / node.facts->total_memory;
  b.forthcoming.instance_spindles =
      spindles_in_use(b.forthcoming.instance_spindles, *node.facts, *instance.facts, Direction::Add);
}

void attach_secondary(Node& node, InstanceIndex index, const Instance& instance) {
  NodeBooks& b = node.books;
  if (!instance.facts->forthcoming) {
    node.secondaries.push_back(index);
    b.secondary_count += 1;
    b.real.instance_spindles = spindles_in_use(b.real.instance_spindles, *node.facts, *instance.facts, Direction::Add);
    b.load += disk_load(instance);
  } else {
    change_storage(b.forthcoming, *node.facts, *instance.facts, Direction::Add);
  }
  b.forthcoming.instance_spindles =
      spindles_in_use(b.forthcoming.instance_spindles, *node.facts, *instance.facts, Direction::Add);
}

}  // namespace htools
