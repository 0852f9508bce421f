#include "trial/followed_scores.h"

#include <algorithm>

namespace htools {

FollowedScores::FollowedScores(const Trial& trial, const std::vector<NodeIndex>& nodes)
    : trial_(trial), nodes_(nodes), watch_(trial, nodes) {}

const ScoredNodes& FollowedScores::current() {
  const std::span<const NodeIndex> changed = watch_.changed();
  const auto is_switched = [&](NodeIndex n) { return scores_->is_online(n) == trial_.cluster().node(n).offline; };
  if (!scores_ || std::any_of(changed.begin(), changed.end(), is_switched)) {
    scores_.emplace(trial_.cluster(), nodes_);
  } else {
    scores_->changed(changed);
  }
  return *scores_;
}

}  // namespace htools
