// Computes scores of a set of nodes after one or a few of them took new values: bounds, which are cheap, and exact
// values for the few candidates that matter.
//
// An exact score is the one that Statistics::evaluate() would return for the changed nodes, to the last bit. It is not
// computed node by node for each candidate. Folds (sums from the first node to the last) that differ in a few terms
// soon reach equal partial results, so all candidates are folded together (metric/changed_folds.h).
#pragma once

#include <array>
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

  // The same without a copy of the values. Candidates with the same values may share them.
  struct SingleChange {
    std::size_t position;
    const ComponentValues* values;
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

  // Apply changes to the set permanently: those of a candidate, or any number of them, with the collisions afterwards.
  void apply(const Candidate& candidate) {
    apply(std::span(candidate.changes.data(), candidate.changes.size()), candidate.pair_collisions);
  }
  void apply(std::span<const Change> changes, double pair_collisions);

  bool is_online(std::size_t node) const { return table_.place(node).online; }
  // Returns the statistics of the unchanged set.
  const Statistics& statistics() const { return statistics_; }
  double pair_collisions() const { return table_.pair_collisions(); }

  // Returns bounds of the exact score of a candidate. The values must be finite.
  Bounds bounds(const Candidate& candidate) const;
  // Returns the exact scores, in the order of the candidates.
  std::vector<double> exact(std::span<const Candidate* const> candidates) const;
  // Returns the exact scores of candidates in which one online node takes new values, and the collisions stay.
  std::vector<double> exact(std::span<const SingleChange> candidates) const;
  // True if both candidates change nodes with the same values in the same way, so that their bounds are equal.
  bool same_change(const Candidate& a, const Candidate& b) const;
  // False if the score of the set with the candidate may be NaN or infinite.
  bool is_finite(const Candidate& candidate) const;
  // False if the candidate has values so large that its score or its bounds may be NaN or infinite.
  bool is_moderate(const Candidate& candidate) const;

 private:
  // Computes the members that describe the unchanged set.
  void refresh();
  // Sets twin_.
  void find_twins();
  // Returns the component values of the set with the candidate, as far as they need no fold: the changes of the offline
  // components and of the pair collisions are included, those of the online components are not.
  ComponentValues unfolded_values(const Candidate& candidate) const;

  // The folds that changes need.
  struct FoldPlan;
  FoldPlan plan_folds(std::span<const FoldChange> changes) const;
  // Returns the scores of `count` variants. `unfolded(k)(c)` is component k of variant c without its folds.
  template <class Unfolded>
  std::vector<double> exact_scores(std::span<const FoldChange> changes, std::size_t count, Unfolded unfolded) const;

  NodeValueTable table_;
  std::vector<std::vector<double>> columns_;  // the values of the online nodes; one column per component
  // By component: the first one whose column is known to be equal. Components often have equal columns (the loads; the
  // books without forthcoming instances).
  std::array<std::size_t, kComponentCount> twin_{};
  // The rest describes the unchanged set.
  Statistics statistics_;
  ComponentValues base_;  // its component values
  bool base_is_finite_ = true;
  ComponentValues mean_;     // the means of the online nodes
  ComponentValues squares_;  // the sums of squared distances from the mean
  bool base_is_moderate_ = true;
  ComponentValues size_;  // |mean| plus the root of the sum of squares, which limits rounding errors
};

}  // namespace htools
