// Reads documents of the kind htools.cluster/1 into plain facts, by the fields that write them (cluster_fields.h).
//
// What follows from other fields may be left out: free memory and disk, disks of which only the sum is given, and all
// that prepare() (cluster/prepare.h) sets. Of the rest, these must be there: the schema; of nodes the name, and memory
// and CPUs unless they are offline; of instances the name, the primary node, memory and vcpus. Without groups there is
// one, called "default". The policy at the top holds for what the policy of a group leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "fields/claims.h"

namespace htools {

// A cluster as a document has it, and what the document says besides that follows from it.
struct ClusterDocument {
  Cluster cluster;     // facts only
  Claims node_claims;  // about nodes
};

// True if the text is a document rather than the text form of a cluster: its first character that is not white space is
// a brace.
bool is_document(std::string_view text);

// Reads a document. `source` is its name, for errors. Throws one InputError about everything that is wrong with it: its
// where() is "SOURCE, line 3, column 14, instances[3].memory_mib" if that is a single thing. While it is read, a long
// document takes little more memory than its text and the cluster together.
ClusterDocument read_cluster_document(std::string text, std::string_view source);

// Reads either form. The text form says nothing that follows from its facts.
ClusterDocument read_cluster_file(std::string text, std::string_view source);

// Returns a sentence about what the document says although something else follows, naming both; empty if nothing.
// The cluster must be prepared.
std::string contradictions(const Cluster& cluster, const Claims& node_claims);

}  // namespace htools
