// Reads the documents that Ganeti gives to an instance allocator, which chooses nodes for instances: a cluster and a
// request.
//
//   {"request": REQUEST, "nodegroups": {UUID: GROUP, ...}, "nodes": {NAME: NODE, ...},
//    "instances": {NAME: INSTANCE, ...}, "cluster_tags": [TAG, ...], "enabled_hypervisors": [NAME, ...], ...}
#pragma once

#include <string_view>

#include "allocate/request.h"
#include "cluster/cluster.h"
#include "protocols/iallocator_instance.h"

namespace htools {

// The content of a document: the cluster and the request.
struct AllocatorDocument {
  Cluster cluster;
  AllocatorRequest request;  // new instances are prepared according to the cluster's tags
};

// Reads a document. The cluster has facts only; prepare() (cluster/prepare.h) does the rest. Its policy is the built-in
// one. All nodes have the first of the hypervisors, and no node is marked as master. A node that is offline, drained or
// not vm_capable is offline in the result; a drained one keeps its figures.
//
// `nics` selects which network interfaces of existing instances are kept.
//
// Throws InputError at the first thing that cannot be accepted, in the order above, but the content of the request
// comes last ("Parsing input IAllocator message: ...", "invalid data for node 'n1': key 'tags': Unable to read list",
// "Unknown node 'n9' for instance i1").
AllocatorDocument read_iallocator(std::string text, NicDetail nics = NicDetail::Networks);

}  // namespace htools
