// Where to put a new instance that needs one node: repeatedly, while the cluster fills up.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "metric/ranking.h"
#include "metric/replacement.h"
#include "placement/candidates.h"

namespace htools {

// The node is chosen by the full score of the whole cluster after the placement, equal scores: the last node.
class SingleSearch {
 public:
  // `cluster` must outlive the search; changes of its nodes are to be told by changed().
  SingleSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

  std::optional<NodeIndex> best() const;
  // All possible nodes, best first. Valid until changed().
  Ranking ranking() const { return Ranking(scores_, possible_); }
  NodeIndex node_of(std::size_t ranked) const { return NodeIndex(position_of(possible_[ranked])); }
  std::size_t possible_count() const { return possible_.size(); }

  // The node has taken an instance.
  void changed(NodeIndex node);

 private:
  static std::size_t position_of(const ReplacementScores::Candidate& candidate) {
    return candidate.changes.front().position;
  }
  std::optional<ReplacementScores::Candidate> candidate(NodeIndex node) const;

  const Cluster& cluster_;
  Instance instance_;
  ReplacementScores scores_;
  std::vector<ReplacementScores::Candidate> possible_;  // ascending
};

}  // namespace htools
