// Finds places for new instances that need one node, repeatedly while the cluster fills up.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "metric/changed_scores.h"
#include "metric/ranking.h"
#include "placement/candidates.h"

namespace htools {

// Searches for the best node for the same instance, again and again. The score is the full score of the whole cluster
// after the placement; of nodes with equal scores, the last one is chosen.
class SingleSearch {
 public:
  // Prepares the search for places for `instance`. `cluster` must outlive the search; call changed() after each change
  // of one of its nodes.
  SingleSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

  // Returns the best node, or nothing if no node can take the instance.
  std::optional<NodeIndex> best() const;
  // Returns a ranking of all possible nodes, best first. It is valid until changed() is called.
  Ranking ranking() const { return Ranking(scores_, possible_); }
  // Returns the node that the ranking calls `ranked`.
  NodeIndex node_of(std::size_t ranked) const { return NodeIndex(position_of(possible_[ranked])); }
  std::size_t possible_count() const { return possible_.size(); }

  // Updates the search after the node has taken an instance.
  void changed(NodeIndex node);

 private:
  static std::size_t position_of(const ChangedScores::Candidate& candidate) {
    return candidate.changes.front().position;
  }
  // Returns the change of the node if it took the instance, or nothing if it cannot take it.
  std::optional<ChangedScores::Candidate> candidate(NodeIndex node) const;

  const Cluster& cluster_;
  Instance instance_;
  ChangedScores scores_;
  std::vector<ChangedScores::Candidate> possible_;  // in ascending order of position
};

}  // namespace htools
