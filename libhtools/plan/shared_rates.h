// Says when transfers run that share what nodes send and receive; copying.h has the model.
#pragma once

#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "plan/copying.h"

namespace htools {

// When a transfer runs, in seconds from the start of all chains.
struct TransferTime {
  double from = 0.0;
  double to = 0.0;
};

// When the transfers of a chain run, which come one after the other.
struct ChainTimes {
  std::vector<TransferTime> transfers;
  bool shares = false;  // true if a node of the chain has something else to transfer meanwhile
};

// Returns the times of chains that start together.
std::vector<ChainTimes> shared_times(const Cluster& cluster, std::span<const std::vector<Transfer>> chains,
                                     const CopyRules& rules);

}  // namespace htools
