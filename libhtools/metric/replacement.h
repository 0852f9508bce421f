// Scores of a set of nodes after one or a few of them took new values: bounds that are cheap, exact values for the few
// that matter.
//
// An exact score is what Statistics::evaluate would give for the changed nodes, to the last bit. It is not computed
// node by node for each candidate: folds that differ in a few terms soon run through the same few values again, so all
// candidates are folded together, and those with equal partial results as one.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "metric/statistics.h"

namespace htools {

// The scores of a set of nodes of which some are replaced.
class ReplacementScores {
 public:
  // A node (by its position in the set) and the values that it would have.
  struct Change {
    std::size_t position;
    ComponentValues values;
  };

  // Nodes that are replaced together.
  struct Candidate {
    boost::container::small_vector<Change, 3> changes;  // of different nodes, in any order; a move has up to three
    double pair_collisions;                             // of the whole set after the changes
  };

  // The score is in between, ends included.
  struct Bounds {
    double low;
    double high;
  };

  explicit ReplacementScores(const NodeRefs& nodes);

  // Makes the changes for good.
  void replace(const Candidate& candidate);

  double pair_collisions() const { return table_.pair_collisions(); }

  // Bounds of the exact score of a candidate. Not for values that are not finite.
  Bounds bounds(const Candidate& candidate) const;
  // The exact scores, in the order of the candidates.
  std::vector<double> exact(std::span<const Candidate* const> candidates) const;
  // Both candidates change nodes with the same values in the same way, so that their bounds are equal.
  bool same_change(const Candidate& a, const Candidate& b) const;
  // False when the score of the set with the candidate may be NaN or infinite.
  bool is_finite(const Candidate& candidate) const;

 private:
  void refresh();
  // The component values as far as they do not take a fold: those of the unchanged set, with the candidate's changes of
  // the offline components and of the pair collisions.
  ComponentValues unfolded_values(const Candidate& candidate) const;

  NodeValueTable table_;
  std::vector<std::vector<double>> columns_;  // the values of the online nodes, by component
  // Of the unchanged set:
  ComponentValues base_;  // component values
  bool base_is_finite_ = true;
  ComponentValues mean_;     // of the online nodes
  ComponentValues squares_;  // sums of squared distances from the mean
};

}  // namespace htools
