// Finds out which nodes of a trial have changed, so that what has been computed of the others can be kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trial/trial.h"

namespace htools {

// Watches some nodes of a trial.
class NodeWatch {
 public:
  // Begins to watch the nodes. Both arguments must outlive the watch.
  NodeWatch(const Trial& trial, const std::vector<NodeIndex>& nodes);

  // Returns the nodes that may have changed since the last call or, at the first call, since the watch began. The
  // result is valid until the next call.
  std::span<const NodeIndex> changed();

 private:
  const Trial& trial_;
  const std::vector<NodeIndex>& nodes_;
  std::uint64_t latest_;                  // the revision of the trial at the last call
  std::vector<std::uint64_t> revisions_;  // those of the nodes then
  std::vector<NodeIndex> changed_;
};

}  // namespace htools
