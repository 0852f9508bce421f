// Finds places for new instances that need one node, repeatedly while the cluster fills up.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "metric/changed_scores.h"
#include "metric/ranking.h"
#include "placement/candidates.h"
#include "placement/single_estimates.h"

namespace htools {

// Searches for the best node for the same instance, again and again. The score is the full score of the whole cluster
// after the placement; of nodes with equal scores, the last one is chosen.
class SingleSearch {
 public:
  // Prepares the search for places for `instance`. `cluster` must outlive the search; call changed() after each change
  // of one of its nodes.
  SingleSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

  // Returns the best node, or nothing if no node can take the instance. Scores exactly only those nodes whose estimates
  // say that they may be the best.
  std::optional<NodeIndex> best() const;
  // Returns a ranking of all possible nodes, best first. It is valid until changed() is called.
  Ranking ranking() const { return Ranking(scores_, possible_); }
  // Returns the node that the ranking calls `ranked`.
  NodeIndex node_of(std::size_t ranked) const { return places_[ranked].node; }
  std::size_t possible_count() const { return possible_.size(); }

  // Updates the search after the node has taken an instance.
  void changed(NodeIndex node);

 private:
  // A node that can take the instance, and the place of its outcome.
  struct Place {
    NodeIndex node;
    std::size_t outcome;
  };
  // What the instance does to some nodes: their values without and with it.
  struct Outcome {
    ComponentValues before, after;
    std::size_t nodes = 0;
  };

  // Returns the change of the node if it took the instance, or nothing if it cannot take it.
  std::optional<ChangedScores::Candidate> candidate(NodeIndex node) const;
  // Adds a node with these values to an outcome, and takes a node away from one, which may move the last outcome.
  // Returns the place of the outcome.
  std::size_t enter(const ComponentValues& before, const ComponentValues& after);
  void leave(std::size_t outcome);

  const Cluster& cluster_;
  Instance instance_;
  ChangedScores scores_;
  std::vector<Place> places_;                       // in ascending order of node
  std::vector<ChangedScores::Candidate> possible_;  // the same nodes
  std::vector<Outcome> outcomes_;                   // nearly all different, so that equal nodes are estimated once
  SingleEstimates estimates_;                       // of the outcomes
  bool all_online_ = true;                          // true if all nodes are online, so that estimates hold
};

}  // namespace htools
