// Explains a node: what it carries, what it reserves for whom, and what happens if it is lost.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "explain/drill.h"

namespace htools {

// The memory that a node reserves for the failure of another one.
struct PeerReservation {
  NodeIndex peer;
  std::vector<InstanceIndex> instances;  // that would fail over
  std::int64_t memory_mib = 0;
  bool fits = true;  // false if that much memory is not free
};

// All that is to be said about a node. What it has and carries is in the cluster.
struct NodeExplanation {
  NodeIndex node;
  std::int64_t memory_for_failovers_mib = 0;
  std::vector<PeerReservation> reservations = {};  // the largest first; the largest alone is kept free
  Drill loss = {};
};
NodeExplanation explain_node(const Cluster& cluster, NodeIndex node);

}  // namespace htools
