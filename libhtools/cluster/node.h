// Defines a node (physical machine): its capacities, its policy limits, and its books, which account for what its
// instances use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/shared.h"
#include "cluster/extra_field.h"
#include "cluster/hypervisor.h"
#include "cluster/instance.h"
#include "cluster/load.h"
#include "cluster/peer_map.h"
#include "cluster/tag_counts.h"
#include "cluster/tag_list.h"
#include "cluster/tag_set.h"
#include "htools/index.h"

namespace htools {

// The quantities that exist twice: for the real instances alone, and including the forthcoming ones.
struct Ledger {
  std::int64_t free_disk = 0;      // MiB
  std::int64_t free_spindles = 0;  // meaningful with exclusive storage only
  std::int64_t used_vcpus = 0;     // including those of the node's own system
  double memory_ratio = 0.0;       // free / total
  double disk_ratio = 0.0;         // free / total disk, or spindles with exclusive storage
  double vcpu_ratio = 0.0;         // used vcpus / physical cpus
  double instance_spindles = 0.0;  // in use by instances; 0 with exclusive storage
};

// The quantities of a node that change when an instance is placed and that computations use. They are a plain value, so
// that a placement can be tried on a copy.
struct NodeBooks {
  Ledger real;
  Ledger forthcoming;                // real and forthcoming instances
  std::int64_t instance_memory = 0;  // MiB in use by instances
  // The memory that is free if forthcoming instances count as placed, in MiB. It starts from the reported free memory.
  std::int64_t forthcoming_free_memory = 0;
  std::int64_t reserved_memory = 0;  // MiB reserved for failovers: the largest amount of the peer map
  double reserved_ratio = 0.0;       // reserved / total memory
  // True if a failover to the node may not find enough memory. When a cluster is loaded, this holds if the reported
  // free memory is less than the reserved memory; after any change, if the unallocated memory is not more than the
  // reserved memory.
  bool n1_failed = true;
  Load load;
  std::int64_t primary_count = 0;
  std::int64_t secondary_count = 0;
  std::int64_t tag_conflicts = 0;   // exclusion tags of primaries: occurrences minus distinct tags
  std::int64_t location_score = 0;  // of its primaries: shared location tags and missed desired locations
};

// The properties of a node that do not depend on the instances that are on it now.
struct NodeFacts {
  // The source of the cluster sets these. Memory and disk are in MiB; the totals of memory, disk and cpus may be
  // fractional.
  std::string name;
  GroupIndex group;
  double total_memory = 0.0;
  std::int64_t node_memory = 0;  // used by the node's own system
  std::int64_t free_memory = 0;  // as reported; placements never change it
  double total_disk = 0.0;
  std::int64_t free_disk = 0;
  double total_cpus = 0.0;
  std::int64_t node_cpus = 1;  // used by the node's own system
  double cpu_speed = 1.0;
  std::int64_t spindles = 1;
  std::int64_t free_spindles = 0;
  bool exclusive_storage = false;
  bool master = false;
  std::optional<Hypervisor> hypervisor;  // if the source says so
  TagList tags;
  ExtraFields extras;

  // prepare() (prepare.h) and apply_node_options() set these.
  std::string alias;                   // name without the common domain suffix
  std::int64_t missing_memory = 0;     // MiB: computed minus reported free memory; may be negative
  double vcpu_ratio_limit = 4.0;       // vcpus per physical cpu, from the group's policy or the user
  std::int64_t max_vcpus = 0;          // floor(vcpu_ratio_limit * total_cpus)
  std::int64_t policy_vcpus = 0;       // the same with the ratio of the group's policy, whatever the user allows
  double max_instance_spindles = 0.0;  // spindle ratio of the policy * spindles
  std::int64_t min_free_disk = 0;      // MiB kept free
  TagSet location_tags;
  TagSet migration_tags;
  TagSet receivable_migration_tags;

  // True if the ratio limits the virtual cpus: a number that is not negative, and not so large that it allows any.
  bool has_vcpu_limit() const;
  // True if the node may not carry so many virtual cpus.
  bool forbids_vcpus(std::int64_t vcpus) const { return has_vcpu_limit() && vcpus > max_vcpus; }
};

// A physical machine. Copies share its facts; its state, which says what is on it, belongs to each copy.
struct Node {
  Shared<NodeFacts> facts;

  bool offline = false;
  // True if the node works, and counts as offline only because a plan empties it. Then moves off it obey all rules.
  bool is_emptied = false;
  // True if the node keeps what it carries and receives nothing more.
  bool cordoned = false;
  NodeBooks books;
  std::vector<InstanceIndex> primaries;    // real ones, oldest first
  std::vector<InstanceIndex> secondaries;  // real ones, oldest first
  PeerMap peers;
  TagCounts primary_tags;            // exclusion tags of all primaries, forthcoming ones included
  TagPairCounts location_exclusion;  // (location tag of the node, exclusion tag of a real primary)

  // Returns the memory that neither the node's own system, nor instances, nor anything unknown uses, in MiB.
  std::int64_t unallocated_memory() const { return unallocated_memory(books); }
  std::int64_t unallocated_memory(const NodeBooks& b) const {
    return truncate_to_int(facts->total_memory) - facts->node_memory - b.instance_memory -
           std::max<std::int64_t>(0, facts->missing_memory);
  }
  // Returns the unallocated memory that is not reserved, in MiB; at least 0.
  std::int64_t available_memory() const;
  // Returns the free disk beyond the part that must stay free, in MiB; at least 0.
  std::int64_t available_disk() const;
  // Returns the total disk minus the free disk, in MiB.
  std::int64_t used_disk() const;

  // Exchanges two nodes member by member. Undoing a trial does this often, and moving nodes to and from a third one
  // would take twice as long.
  friend void swap(Node& a, Node& b) noexcept {
    using std::swap;
    swap(a.facts, b.facts);
    swap(a.offline, b.offline);
    swap(a.is_emptied, b.is_emptied);
    swap(a.cordoned, b.cordoned);
    swap(a.books, b.books);
    swap(a.primaries, b.primaries);
    swap(a.secondaries, b.secondaries);
    swap(a.peers, b.peers);
    swap(a.primary_tags, b.primary_tags);
    swap(a.location_exclusion, b.location_exclusion);
  }
};

// False if the source does not know how large the node is. Such a node is offline, and all its sizes are 0.
inline bool has_known_sizes(const Node& node) { return !node.offline || node.facts->total_memory > 0; }

// True if the node does not work.
inline bool is_down(const Node& node) { return node.offline && !node.is_emptied; }

// True if instances may come to the node.
inline bool receives(const Node& node) { return !node.offline && !node.cordoned; }

// Sets the node's state to that of a node without instances, computed from its facts.
void reset_books(Node& node);

// Returns free / total: of the disk, or of the spindles with exclusive storage. Returns 1 if the total is 0.
inline double free_disk_ratio(const NodeFacts& node, std::int64_t free_disk, std::int64_t free_spindles) {
  if (node.exclusive_storage) {
    return node.spindles == 0 ? 1.0 : static_cast<double>(free_spindles) / static_cast<double>(node.spindles);
  }
  return node.total_disk == 0 ? 1.0 : static_cast<double>(free_disk) / node.total_disk;
}

// True if instances may move from `source` to `target`: the target may receive from nodes with each migration tag of
// the source.
bool migration_allowed(const Node& source, const Node& target);

}  // namespace htools
