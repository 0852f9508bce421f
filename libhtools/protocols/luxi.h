// Reads clusters from the answers of Ganeti's query daemon: the tables of nodes, instances and groups, and the
// information about the cluster. This file defines which fields the queries must ask for; live/luxi_queries.h sends the
// queries.
//
// A table is {"data": [[[STATUS, VALUE], ...], ...], ...}: rows of cells, in the order of the requested fields. Status
// 0 means that the value is present.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// A field of a query.
struct LuxiField {
  std::string_view name;
  std::string_view in_errors = name;  // the name that errors use
};

// The fields of nodes, instances and groups that read_luxi_cluster() expects, in their order.
inline constexpr auto kLuxiNodeFields = std::to_array<LuxiField>({
    {"name"},
    {"mtotal"},
    {"mnode"},
    {"mfree"},
    {"dtotal"},
    {"dfree"},
    {"ctotal"},
    {"cnos"},
    {"offline"},
    {"drained"},
    {"vm_capable"},
    {"ndp/spindle_count", "spindles"},
    {"group.uuid"},
    {"tags"},
    {"ndp/exclusive_storage", "exclusive_storage"},
    {"sptotal"},
    {"spfree"},
    {"ndp/cpu_speed", "cpu_speed"},
});
inline constexpr auto kLuxiInstanceFields = std::to_array<LuxiField>({
    {"name"},
    {"disk_usage"},
    {"be/memory"},
    {"be/vcpus"},
    {"status"},
    {"pnode"},
    {"snodes"},
    {"tags"},
    {"be/auto_balance", "auto_balance"},
    {"disk_template"},
    {"be/spindle_use"},
    {"disk.sizes"},
    {"disk.spindles"},
    {"forthcoming"},
});
inline constexpr auto kLuxiGroupFields = std::to_array<LuxiField>({
    {"uuid"},
    {"name"},
    {"alloc_policy"},
    {"ipolicy"},
    {"tags"},
});

// The replies (protocols/luxi_reply.h) as they arrived, without the byte that ends a message.
struct LuxiAnswers {
  std::string groups;
  std::string nodes;
  std::string instances;
  std::string cluster_info;
};

// Returns a cluster with facts only; prepare() (cluster/prepare.h) does the rest. All nodes have the cluster's default
// hypervisor. A node that is offline, drained or not vm_capable is offline in the result; a drained one keeps its
// figures. Throws InputError at the first thing that cannot be accepted, answer by answer in the order above ("Node
// 'n1', error while reading attribute 'mfree': No data for a field").
Cluster read_luxi_cluster(LuxiAnswers answers);

}  // namespace htools
