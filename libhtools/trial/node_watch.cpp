#include "trial/node_watch.h"

#include <cstddef>

namespace htools {

NodeWatch::NodeWatch(const Trial& trial, const std::vector<NodeIndex>& nodes)
    : trial_(trial), nodes_(nodes), latest_(trial.revision()) {
  revisions_.reserve(nodes.size());
  for (NodeIndex n : nodes) revisions_.push_back(trial.revision(n));
}

std::span<const NodeIndex> NodeWatch::changed() {
  changed_.clear();
  if (latest_ == trial_.revision()) return changed_;
  latest_ = trial_.revision();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint64_t revision = trial_.revision(nodes_[i]);
    if (revisions_[i] == revision) continue;
    revisions_[i] = revision;
    changed_.push_back(nodes_[i]);
  }
  return changed_;
}

}  // namespace htools
