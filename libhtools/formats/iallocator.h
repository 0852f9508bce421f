// Clusters from the documents that ask an instance allocator for a place.
//
//   {"request": OBJECT, "nodegroups": {UUID: GROUP, ...}, "nodes": {NAME: NODE, ...}, "instances": {NAME: INSTANCE,
//   ...},
//    "cluster_tags": [TAG, ...], "enabled_hypervisors": [NAME, ...], ...}
#pragma once

#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// The cluster that a document describes. The request must be an object; what it says is not looked at yet. Fills in
// facts only; prepare() (cluster/prepare.h) does the rest. The cluster's policy is the built-in one; the first
// hypervisor is that of all nodes; no node is marked as master. A node that is offline, drained or not vm_capable is
// offline here; a drained one keeps its figures.
//
// Throws InputError at the first thing that cannot be accepted, in the order above ("Parsing input IAllocator message:
// ...", "invalid data for node 'n1': key 'tags': Unable to read list", "Unknown node 'n9' for instance i1").
Cluster read_iallocator_cluster(std::string_view text);

}  // namespace htools
