// Scores of a set of nodes after one of them took new values: bounds that are cheap, exact values for the few that
// matter.
//
// An exact score is what Statistics::evaluate would give for the changed nodes, to the last bit. It is not computed
// node by node for each candidate: folds that differ in one early term soon run through the same few values, so all
// candidates are folded together as long as their partial results differ.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metric/statistics.h"

namespace htools {

class ReplacementScores {
 public:
  // A node (by its position in the set) and the values that it would have.
  struct Candidate {
    std::size_t position;
    ComponentValues values;
    double pair_collisions;  // of the whole set after the change
  };
  struct Bounds {
    double low;
    double high;
  };

  explicit ReplacementScores(const NodeRefs& nodes);

  // Makes a change for good.
  void replace(const Candidate& candidate);

  double pair_collisions() const { return table_.pair_collisions(); }

  // Bounds of the exact score of a candidate. Not for values that are not finite.
  Bounds bounds(const Candidate& candidate) const;
  // The exact scores, in the order of the candidates, which must be in ascending order of position.
  std::vector<double> exact(std::span<const Candidate* const> candidates) const;
  // Both candidates change a node with the same values in the same way, so that their bounds are equal.
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
  ComponentValues base_;     // component values
  ComponentValues mean_;     // of the online nodes
  ComponentValues squares_;  // sums of squared distances from the mean
};

}  // namespace htools
