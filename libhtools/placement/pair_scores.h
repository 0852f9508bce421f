// Computes scores of pairs of node classes to within rounding, and lower bounds that are sums of one number per side.
//
// Almost all components are changed by only one node of the pair. For the five that both nodes change, the new variance
// is the old one plus a part of the primary, a part of the secondary, and a small product of both. The square root is
// concave, so over the range of variances that occurs it lies above its chord. The chord is linear, so it splits into a
// part of the primary and a part of the secondary.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "metric/statistics.h"
#include "placement/pair_search.h"

namespace htools {

// The components that both the primary and the secondary node change.
inline constexpr std::array<Component, 5> kSharedComponents{Component::FreeDisk, Component::DiskLoad,
                                                            Component::Spindles, Component::FreeDiskForthcoming,
                                                            Component::SpindlesForthcoming};

// The scores of pairs of nodes for a new mirrored instance, and lower bounds of them.
class PairScores {
 public:
  // A class of nodes in the role of the primary.
  struct PrimarySide {
    std::size_t node_class;
    double bound;  // this side's part of the lower bound
    double own;    // weighted change of the components that only a primary changes
    // The shared components after the change: their sums and variances, and the gain, which is the change of the
    // variance.
    std::array<double, kSharedComponents.size()> sum, variance, gain;
  };

  // A class of nodes in the role of the secondary; the members correspond to those of PrimarySide.
  struct SecondarySide {
    std::size_t node_class;
    std::size_t variant;
    double bound;
    double own;
    // The changes of the shared components: of their values, of the squares of these, and of the variances.
    std::array<double, kSharedComponents.size()> delta, square_delta, gain;
  };

  // Sets up the sides of one candidate list. `base` has the statistics of the unchanged nodes.
  PairScores(const Statistics& base, const std::vector<NodeClass>& classes, std::size_t list);

  // The sides. They are in ascending order of bound after keep_up_to().
  const std::vector<PrimarySide>& primaries() const { return primaries_; }
  const std::vector<SecondarySide>& secondaries() const { return secondaries_; }
  // False if values are so large that their squares are not finite.
  bool is_finite() const;
  // Keeps only the sides that can be part of a pair with a bound up to `limit`, and sorts them by bound.
  void keep_up_to(double limit);

  // Returns a lower bound of the scores of the pairs whose sides have these bounds.
  double bound(double primary_bound, double secondary_bound) const { return offset_ + primary_bound + secondary_bound; }
  // Returns the score of a pair, except for the location tags that the two nodes share. The exact score differs from it
  // by at most rounding().
  double score(const PrimarySide& primary, const SecondarySide& secondary) const;

  // Returns an upper bound of the difference between score() and the exact score.
  static double rounding(double score);

 private:
  void add_primary(const NodeClass& c, std::size_t index);
  void add_secondary(const NodeClass& c, std::size_t index, std::size_t variant);
  // Sets the bounds of all sides, and offset_.
  void set_bounds();

  double n_;  // the number of online nodes
  Statistics base_;
  double constant_ = 0.0;  // the score of the unchanged nodes without the shared components
  double offset_ = 0.0;    // the part of the lower bound that all pairs have in common
  std::vector<PrimarySide> primaries_;
  std::vector<SecondarySide> secondaries_;
  // The largest absolute values of the shared components, which limit the rounding errors.
  std::array<double, kSharedComponents.size()> largest_value_{};
};

}  // namespace htools
