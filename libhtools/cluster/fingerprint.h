// Computes fingerprints of clusters: short texts by which equal clusters are recognised.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace htools {

// The fingerprints of a prepared cluster. Each is a UUID of version 5 (RFC 4122), which is made of SHA-1. They do not
// depend on the source of the cluster, nor on the order of its groups, nodes, instances and tags.
struct Fingerprints {
  // Of everything that answers depend on: names, sizes, policies, tags, loads, places, free amounts, and what the user
  // has chosen (offline nodes, limits, instances that may move).
  std::string state;
  // Of the names and sizes of groups, nodes and instances alone. It stays the same when instances move, and when nodes
  // go offline or come back.
  std::string facts;
};
Fingerprints fingerprints_of(const Cluster& cluster);

// Returns the fingerprint of the facts alone, which takes a fraction of the time.
std::string facts_fingerprint_of(const Cluster& cluster);

}  // namespace htools
