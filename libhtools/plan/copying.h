// Says how fast disks and memory are copied between nodes, and what a move copies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"

namespace htools {

// The rules by which disks are copied, and memory is migrated, at the same time.
struct CopyRules {
  double rate = 100.0;                                   // MiB per second that a node sends and receives together
  std::int64_t copies_per_node = 1;                      // instances whose disks are copied at once from or to a node
  std::optional<std::int64_t> parallel_copies = {};      // the same for all nodes together; no limit if empty
  std::int64_t migrations_per_node = 2;                  // instances that migrate at once from or to a node
  std::optional<std::int64_t> parallel_migrations = {};  // the same for all nodes together; no limit if empty
  bool one_by_one = false;                               // each move is a wave of its own
};

// A part of a move: a disk or the memory of a running instance goes from one node to another.
struct Transfer {
  NodeIndex from;
  NodeIndex to;
  std::int64_t mib = 0;
  bool is_disk = false;  // otherwise memory
};

// Returns what a step copies, in the order of its actions. `cluster` may be any state; only facts and offline nodes
// count. Disks are read from the primary node, or from the secondary one if the primary is offline. Memory is not
// copied if the instance does not run, or its primary node is offline; nothing is of forthcoming instances, which have
// neither yet.
std::vector<Transfer> transfers_of(const Cluster& cluster, const BalanceStep& step);

// Returns the MiB per second that the node copies: what its tag "htools:bandwidth:SIZE" says (a size with a unit, MiB
// without one), else the rate of the rules. A tag that is no size above 0 has no effect.
double bandwidth_of(const Node& node, const CopyRules& rules);

// Returns the tags of nodes that are to say such a size, but do not, each with the name of its node.
std::vector<std::pair<std::string, std::string>> unreadable_bandwidths(const Cluster& cluster);

// Returns how long the transfers take one after the other, in seconds, if nothing else is copied.
double seconds_of(const Cluster& cluster, const std::vector<Transfer>& transfers, const CopyRules& rules);

}  // namespace htools
