// Looks at a cluster: its node groups, nodes and instances, and what is free.
//
// A Cluster is made by load.h, and does not change. Several threads can use one at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "htools/disk_template.h"
#include "htools/index.h"
#include "htools/policy.h"

namespace htools {

struct Cluster;  // its content is internal; the functions below and the engines look at it

// A node group: a set of nodes between which instances can move.
struct GroupView {
  GroupIndex index;
  std::string name;
  std::string uuid;
  std::string alloc_policy;  // "preferred", "last_resort" or "unallocable": whether new instances may be placed in it
  std::vector<std::string> tags;
  InstancePolicy policy;
};

// A node. Amounts of memory and disk are in MiB. They say what is free now, whatever the source reported.
struct NodeView {
  NodeIndex index;
  std::string name;
  GroupIndex group;
  bool offline = false;
  bool cordoned = false;  // true if it keeps what it carries and receives nothing
  double total_memory_mib = 0.0;
  std::int64_t free_memory_mib = 0;      // that neither the node's own system nor instances use
  std::int64_t reserved_memory_mib = 0;  // for instances whose primary node may fail; part of the free memory
  double total_disk_mib = 0.0;
  std::int64_t free_disk_mib = 0;
  double total_cpus = 0.0;
  std::int64_t used_vcpus = 0;  // including those of the node's own system
  std::int64_t max_vcpus = 0;   // as the policy of the group, or the user, allows
  bool n1_safe = false;         // false if a failover to the node may not find enough memory
  std::vector<std::string> tags;
  std::vector<InstanceIndex> primaries;    // the instances that run here, oldest first
  std::vector<InstanceIndex> secondaries;  // the instances that have their second copy here, oldest first
};

// An instance.
struct InstanceView {
  InstanceIndex index;
  std::string name;
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;  // of all its disks
  std::int64_t vcpus = 0;
  DiskTemplate disk_template = DiskTemplate::Diskless;
  std::string status;    // as Ganeti names it: "running", "ADMIN_down", ...
  NodeIndex primary;     // none if it has no node
  NodeIndex secondary;   // none if it has no second copy
  bool movable = false;  // whether the balancer may move it, as far as its template and the user's choice go
  std::vector<std::string> tags;
};

std::size_t group_count(const Cluster& cluster);
std::size_t node_count(const Cluster& cluster);
std::size_t instance_count(const Cluster& cluster);

// Return a copy of what is known of one element. The index must be one of this cluster.
GroupView view(const Cluster& cluster, GroupIndex index);
NodeView view(const Cluster& cluster, NodeIndex index);
InstanceView view(const Cluster& cluster, InstanceIndex index);

// Return the group with this name or UUID, or the node or instance with this name. The names of nodes and instances may
// be short: "web1" for "web1.example.com". Return nothing unless exactly one fits.
std::optional<GroupIndex> find_group(const Cluster& cluster, std::string_view name);
std::optional<NodeIndex> find_node(const Cluster& cluster, std::string_view name);
std::optional<InstanceIndex> find_instance(const Cluster& cluster, std::string_view name);

// Returns the groups that have nodes, in index order. The engines work on these.
std::vector<GroupIndex> groups_with_nodes(const Cluster& cluster);

}  // namespace htools
