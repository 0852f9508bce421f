// A node (physical machine): capacities, policy limits, and the books of what its instances use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/shared.h"
#include "cluster/hypervisor.h"
#include "cluster/instance.h"
#include "cluster/load.h"
#include "cluster/peer_map.h"
#include "cluster/tag_set.h"

namespace htools {

// The quantities that are kept twice: for the real instances, and with the forthcoming ones included.
struct Ledger {
  std::int64_t free_disk = 0;      // MiB
  std::int64_t free_spindles = 0;  // meaningful with exclusive storage only
  std::int64_t used_vcpus = 0;     // including those of the node's own system
  double memory_ratio = 0.0;       // free / total
  double disk_ratio = 0.0;         // free / total (spindles with exclusive storage)
  double vcpu_ratio = 0.0;         // used vcpus / physical cpus
  double instance_spindles = 0.0;
};

// Everything about a node that placing an instance changes and that arithmetic sees. A plain value: a placement that is
// only tried works on a copy of it.
struct NodeBooks {
  Ledger real;
  Ledger forthcoming;                        // real and forthcoming instances
  std::int64_t instance_memory = 0;          // MiB in use by instances
  std::int64_t forthcoming_free_memory = 0;  // MiB; starts from the reported free memory
  std::int64_t reserved_memory = 0;          // MiB reserved for failovers: largest amount of the peer map
  double reserved_ratio = 0.0;               // reserved / total memory
  // A failover to this node may not find enough memory: when loading, if the reported free memory is less than the
  // reserved; after any change, if the unallocated memory is not more than the reserved.
  bool n1_failed = true;
  Load load;
  std::int64_t primary_count = 0;
  std::int64_t secondary_count = 0;
  std::int64_t tag_conflicts = 0;   // exclusion tags among primaries: occurrences minus distinct tags
  std::int64_t location_score = 0;  // see the metric
};

// What a node is. Nothing here depends on the instances that are on it now.
struct NodeFacts {
  // From the source. Memory and disk in MiB; sums of disk and memory may be fractional there.
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
  std::vector<std::string> tags;

  // Set by the preparation of the cluster.
  std::string alias;                   // name without the common domain suffix
  std::int64_t missing_memory = 0;     // recorded minus reported free memory; may be negative
  double vcpu_ratio_limit = 4.0;       // of the group's policy, or the user's
  std::int64_t max_vcpus = 0;          // floor(vcpu_ratio_limit * total_cpus)
  double max_instance_spindles = 0.0;  // policy ratio * spindles
  std::int64_t min_free_disk = 0;      // MiB kept free
  TagSet location_tags;
  TagSet migration_tags;
  TagSet receivable_migration_tags;
};

// A physical machine: its facts, which copies share, and its state, what is on it.
struct Node {
  Shared<NodeFacts> facts;

  bool offline = false;
  NodeBooks books;
  std::vector<InstanceIndex> primaries;    // real ones, oldest first
  std::vector<InstanceIndex> secondaries;  // real ones, oldest first
  PeerMap peers;
  TagCounts primary_tags;            // exclusion tags of all primaries, forthcoming ones included
  TagPairCounts location_exclusion;  // (location tag of the node, exclusion tag of a real primary)

  // MiB of memory that neither the system, nor instances, nor unknown use takes.
  std::int64_t unallocated_memory() const { return unallocated_memory(books); }
  std::int64_t unallocated_memory(const NodeBooks& b) const;
  // unallocated memory that is not reserved either
  std::int64_t available_memory() const;
  std::int64_t available_disk() const;
  std::int64_t used_disk() const;
};

// Sets the books to those of a node without instances, from the node's facts.
void reset_books(Node& node);

// free / total, in spindles for exclusive storage; 1 for a total of zero.
double free_disk_ratio(const Node& node, std::int64_t free_disk, std::int64_t free_spindles);

// A host without instances may be reached from `source`: every migration tag of the source is receivable by the target.
bool migration_allowed(const Node& source, const Node& target);

}  // namespace htools
