// Computes scores of a set of nodes after one or a few of them took new values: bounds, which are cheap, and exact
// values for the few candidates that matter.
//
// An exact score is the one that Statistics::evaluate() would return for the changed nodes, to the last bit. It is not
// computed node by node for each candidate. Two folds (sums from the first node to the last) that differ in a few terms
// soon reach the same partial results again, so all candidates are folded together, and those with equal partial
// results continue as one.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "metric/changed_folds.h"
#include "metric/statistics.h"

namespace htools {

// The scores of a set of nodes after some of them have changed.
class ChangedScores {
 public:
  // A move changes up to three nodes, a swap of two instances four. More than these end in std::bad_alloc.
  static constexpr std::size_t kMaxChanges = 6;
  // A node, given by its position in the set, and the values that it would have.
  struct Change {
    std::size_t position;
    ComponentValues values;
  };

  // The nodes that change together.
  struct Candidate {
    boost::container::static_vector<Change, kMaxChanges> changes;  // of different nodes, in any order
    double pair_collisions;                                        // of the whole set, after the changes
  };

  // An interval that contains the score, including both ends.
  struct Bounds {
    double low;
    double high;
  };

  explicit ChangedScores(const NodeRefs& nodes);

  // Applies the changes of the candidate to the set permanently.
  void apply(const Candidate& candidate);

  double pair_collisions() const { return table_.pair_collisions(); }

  // Returns bounds of the exact score of a candidate. The values must be finite.
  Bounds bounds(const Candidate& candidate) const;
  // Returns the exact scores, in the order of the candidates.
  std::vector<double> exact(std::span<const Candidate* const> candidates) const;
  // True if both candidates change nodes with the same values in the same way, so that their bounds are equal.
  bool same_change(const Candidate& a, const Candidate& b) const;
  // False if the score of the set with the candidate may be NaN or infinite.
  bool is_finite(const Candidate& candidate) const;

 private:
  // Computes the members that describe the unchanged set.
  void refresh();
  // Returns the component values of the set with the candidate, as far as they need no fold: the changes of the offline
  // components and of the pair collisions are included, those of the online components are not.
  ComponentValues unfolded_values(const Candidate& candidate) const;

  struct FoldBlock;
  // Returns the folds that the components need which the changes change.
  std::vector<FoldBlock> fold_blocks(std::span<const FoldChange> changes) const;

  NodeValueTable table_;
  std::vector<std::vector<double>> columns_;  // the values of the online nodes; one column per component
  // The rest describes the unchanged set.
  ComponentValues base_;  // its component values
  bool base_is_finite_ = true;
  ComponentValues mean_;     // the means of the online nodes
  ComponentValues squares_;  // the sums of squared distances from the mean
  ComponentValues size_;     // |mean| plus the root of the sum of squares, which limits rounding errors
};

}  // namespace htools
