// Scores a set of nodes in the present state of a trial.
#pragma once

#include <optional>
#include <vector>

#include "trial/node_watch.h"
#include "trial/scored_nodes.h"
#include "trial/trial.h"

namespace htools {

// The scores of a set of nodes, which follow the changes of a trial.
class FollowedScores {
 public:
  // Takes the nodes in ascending order. Both arguments must outlive the object.
  FollowedScores(const Trial& trial, const std::vector<NodeIndex>& nodes);

  // Returns the scores in the present state of the trial. They hold until it changes.
  const ScoredNodes& current();

 private:
  const Trial& trial_;
  const std::vector<NodeIndex>& nodes_;
  NodeWatch watch_;
  std::optional<ScoredNodes> scores_;  // empty until needed
};

}  // namespace htools
