// Scores a set of nodes for each place that an instance could have, and finds the best place.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "metric/changed_scores.h"
#include "metric/tag_pairs.h"
#include "rules/move_application.h"

namespace htools {

// A set of nodes, usually a node group, whose score decides where an instance goes. Candidates are the changes of the
// set that are compared: some nodes with other books, and the collisions of exclusion tags that result.
class ScoredNodes {
 public:
  using Candidate = ChangedScores::Candidate;

  // Takes the nodes in ascending order. Both arguments must outlive the object. Whenever a node has changed in the
  // cluster, call changed().
  ScoredNodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes);

  // Returns the candidate in which some nodes have other books. `host` is the node that the instance has come to as
  // primary, or none if its primary does not change. Nodes outside the set are ignored.
  Candidate candidate(std::span<const NodeChange> changes, NodeIndex host, const Instance& instance) const;
  // Returns the candidate in which the instance has come to `node` as primary. `after` are the node's books then.
  Candidate with_primary(NodeIndex node, const NodeBooks& after, const Instance& instance) const;

  // Returns the collisions of exclusion tags if the instance came to `host`, a node of the set, as primary.
  double collisions_with(NodeIndex host, const Instance& instance) const;

  const ChangedScores& scores() const { return scores_; }

  // Returns the position of the candidate with the lowest score; of equal scores, the last. Returns nothing if there
  // are no candidates. If a score may not be finite, the candidates are compared in order, as specified: each one
  // replaces the best so far unless the score of that is lower.
  std::optional<std::size_t> best(const std::vector<Candidate>& candidates) const;

  // True if the scores take the node, which is one of the set, for online: it was when the object was made.
  bool is_online(NodeIndex node) const { return scores_.is_online(*position(node)); }

  // Updates the set after the nodes have changed in the cluster: instances have come to them or left them.
  void changed(std::span<const NodeIndex> nodes);
  void changed(NodeIndex node) { changed(std::span(&node, 1)); }
  // Set the state that all candidates share, before the cluster changes. assume() gives a node other books;
  // assume_departure() takes the exclusion tags of the instance off its primary, but leaves the books. After that,
  // changed() cannot be called any more.
  void assume(const NodeChange& change);
  void assume_departure(const Instance& instance);

 private:
  // Returns the position of the node in the set; nothing if it is not in the set.
  std::optional<std::size_t> position(NodeIndex node) const;

  const std::vector<NodeIndex>& nodes_;
  NodeRefs refs_;
  TagPairs tag_pairs_;
  std::vector<TagPairCounts> entered_pairs_;  // by node: what tag_pairs_ contains of it
  ChangedScores scores_;
};

}  // namespace htools
