// Says how fast disks and memory are copied between nodes, and what a move copies.
//
// A node has one rate for all that it sends and all that it receives, disks and memory together. At every moment it is
// divided evenly among the transfers that run from or to the node, and a transfer is as fast as the smaller one of the
// two shares that its nodes give it. What a share leaves unused, because the other node gives less, nobody else uses:
// networks may be faster than that, but not slower. The transfers of a step come one after
// the other; steps of a wave start together, and as transfers end, the others become faster.
#pragma once

#include <array>
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

// How many instances may copy disks, or migrate, at the same time.
struct TransferCap {
  bool of_disks;
  std::int64_t CopyRules::*per_node;
  std::optional<std::int64_t> CopyRules::*parallel;
};
inline constexpr std::array<TransferCap, 2> kTransferCaps{{
    {true, &CopyRules::copies_per_node, &CopyRules::parallel_copies},
    {false, &CopyRules::migrations_per_node, &CopyRules::parallel_migrations},
}};

// A part of a move: a disk or the memory of a running instance goes from one node to another.
struct Transfer {
  NodeIndex from;
  NodeIndex to;
  std::int64_t mib = 0;
  bool is_disk = false;  // otherwise memory
};

// Returns what a step copies, in the order of its actions. `cluster` may be any state; only facts and offline nodes
// count. Disks are read from the primary node, or from the secondary one if the primary is offline. Memory is copied
// if the instance migrates live (cluster/mobility.h), after disks that go with it; nothing is of forthcoming
// instances, which have neither yet.
std::vector<Transfer> transfers_of(const Cluster& cluster, const BalanceStep& step);

// Returns the MiB per second that the node sends and receives: what its tag "htools:bandwidth:SIZE" says (a rate with a
// unit, MiB without one), else the rate of the rules. A tag that is no rate above 0 has no effect.
double bandwidth_of(const Node& node, const CopyRules& rules);

// Returns the tags of nodes that are to say such a rate, but do not, each with the name of its node.
std::vector<std::pair<std::string, std::string>> unreadable_bandwidths(const Cluster& cluster);

// Returns how long the transfers take one after the other, in seconds, if nothing else is copied.
double seconds_of(const Cluster& cluster, const std::vector<Transfer>& transfers, const CopyRules& rules);

}  // namespace htools
