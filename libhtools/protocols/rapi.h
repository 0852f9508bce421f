// Clusters from the documents of the remote API: the answers to bulk queries for groups, nodes and instances, and the
// cluster's information. Where the documents come from is not known here.
#pragma once

#include <optional>
#include <string>

#include "base/errors.h"
#include "cluster/cluster.h"

namespace htools {

// A document's text, or why there is none.
struct RapiDocument {
  std::string text;
  std::optional<InputError> failure;
};

// The documents that describe a cluster.
struct RapiDocuments {
  RapiDocument groups;     // array of objects
  RapiDocument nodes;      // array of objects
  RapiDocument instances;  // array of objects
  RapiDocument info;       // object
};

// Fills in facts only; prepare() (cluster/prepare.h) does the rest. All nodes have the cluster's default hypervisor. A
// node that is offline, drained or not vm_capable is offline here; a drained one keeps its figures. Throws InputError
// at the first thing that cannot be accepted: document by document in the order above, first that it is not there, then
// what it says ("Parsing node data: ...", "Node 'n1', error while parsing data: key 'mfree': Unable to read Int").
Cluster read_rapi_cluster(const RapiDocuments& documents);

}  // namespace htools
