// Reads clusters from the documents of the remote API: the answers to bulk queries for groups, nodes and instances, and
// the information about the cluster. The caller gets the documents from a host or from files.
#pragma once

#include <optional>
#include <string>

#include "cluster/cluster.h"
#include "htools/errors.h"

namespace htools {

// A document: its text, or the reason why there is none.
struct RapiDocument {
  std::string text;
  std::optional<InputError> failure;
};

// The documents that describe a cluster.
struct RapiDocuments {
  RapiDocument groups;     // an array of objects
  RapiDocument nodes;      // an array of objects
  RapiDocument instances;  // an array of objects
  RapiDocument info;       // an object
};

// Returns a cluster with facts only; prepare() (cluster/prepare.h) does the rest. All nodes have the cluster's default
// hypervisor. A node that is offline, drained or not vm_capable is offline in the result; a drained one keeps its
// figures. Throws InputError at the first thing that cannot be accepted, document by document in the order above: first
// if the document is missing, then if its content is wrong ("Parsing node data: ...", "Node 'n1', error while parsing
// data: key 'mfree': Unable to read Int").
Cluster read_rapi_cluster(const RapiDocuments& documents);

}  // namespace htools
