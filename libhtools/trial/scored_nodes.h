// A set of nodes whose common score decides where an instance goes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "metric/replacement.h"
#include "metric/tag_pairs.h"
#include "rules/move_application.h"

namespace htools {

// A set of nodes with the scores of its replacements, and what exclusion tags cost.
class ScoredNodes {
 public:
  using Candidate = ReplacementScores::Candidate;

  // `nodes`: ascending. Both must outlive this; changes of the nodes are to be told by changed().
  ScoredNodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes);

  // The set with other books of some nodes. `host`: the node that the instance has come to as primary, or none. Nodes
  // that are not of the set do not matter.
  Candidate candidate(std::span<const NodeChange> changes, NodeIndex host, const Instance& instance) const;
  // The set after the instance has come to a node as primary, which then has the books `after`.
  Candidate with_primary(NodeIndex node, const NodeBooks& after, const Instance& instance) const;

  const ReplacementScores& scores() const { return scores_; }

  // The candidate with the lowest score. Equal scores: the last. Scores that are not finite are compared one after the
  // other, and only a lower score of an earlier candidate counts. Nothing without candidates.
  std::optional<std::size_t> best(const std::vector<Candidate>& candidates) const;

  // The node has taken an instance or lost one.
  void changed(NodeIndex node);
  // Of what all candidates have in common, before the cluster changes: a node has these books; the instance leaves its
  // primary.
  void assume(const NodeChange& change);
  void assume_departure(const Instance& instance);

 private:
  std::optional<std::size_t> position(NodeIndex node) const;

  const std::vector<NodeIndex>& nodes_;
  NodeRefs refs_;
  TagPairs tag_pairs_;
  ReplacementScores scores_;
};

}  // namespace htools
