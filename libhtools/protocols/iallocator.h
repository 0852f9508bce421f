// The documents that ask an instance allocator for a place: a cluster and a request.
//
//   {"request": REQUEST, "nodegroups": {UUID: GROUP, ...}, "nodes": {NAME: NODE, ...},
//    "instances": {NAME: INSTANCE, ...}, "cluster_tags": [TAG, ...], "enabled_hypervisors": [NAME, ...], ...}
#pragma once

#include <string_view>

#include "allocate/request.h"
#include "cluster/cluster.h"
#include "protocols/iallocator_instance.h"

namespace htools {

// The document of a request: the cluster, and what is asked for.
struct AllocatorDocument {
  Cluster cluster;
  AllocatorRequest request;  // new instances are prepared, by the cluster's tags
};

// The cluster has facts only; prepare() (cluster/prepare.h) does the rest. Its policy is the built-in one; the first
// hypervisor is that of all nodes; no node is marked as master. A node that is offline, drained or not vm_capable is
// offline here; a drained one keeps its figures.
//
// `nics`: what is kept of the interfaces of existing instances.
//
// Throws InputError at the first thing that cannot be accepted, in the order above, the content of the request last
// ("Parsing input IAllocator message: ...", "invalid data for node 'n1': key 'tags': Unable to read list",
// "Unknown node 'n9' for instance i1").
AllocatorDocument read_iallocator(std::string text, NicDetail nics = NicDetail::Networks);

}  // namespace htools
