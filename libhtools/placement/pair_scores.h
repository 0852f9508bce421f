// Scores of pairs of node classes, to within rounding, and a bound that needs no look at the pair.
//
// Almost all components are changed by one node of the pair only. For the five that both change, the new variance is
// the sum of a part of the primary, a part of the secondary, and a small product. The square root of a sum is concave,
// so over the range that occurs it lies above its chord; the chord is linear, and the bound becomes a sum of one number
// per side.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "metric/statistics.h"
#include "placement/pair_search.h"

namespace htools {

inline constexpr std::array<Component, 5> kSharedComponents{Component::FreeDisk, Component::DiskLoad,
                                                            Component::Spindles, Component::FreeDiskForthcoming,
                                                            Component::SpindlesForthcoming};

// Scores of pairs of nodes for a new mirrored instance, and bounds of them.
class PairScores {
 public:
  // A class of nodes, as primary.
  struct PrimarySide {
    std::size_t node_class;
    double bound;  // this side's part of the lower bound
    double own;    // weighted change of the components that only a primary changes
    std::array<double, kSharedComponents.size()> sum, variance, gain;  // of the shared components
  };

  // A class of nodes, as secondary.
  struct SecondarySide {
    std::size_t node_class;
    std::size_t variant;
    double bound;
    double own;
    std::array<double, kSharedComponents.size()> delta, square_delta, gain;
  };

  // The sides of one candidate list.
  PairScores(const Statistics& base, const std::vector<NodeClass>& classes, std::size_t list);

  // Ascending by bound after keep_up_to().
  const std::vector<PrimarySide>& primaries() const { return primaries_; }
  const std::vector<SecondarySide>& secondaries() const { return secondaries_; }
  // False when values are so large that their squares are not finite.
  bool is_finite() const;
  // Keeps only sides that can be part of a pair with a bound up to `limit`, and sorts them by bound.
  void keep_up_to(double limit);

  // No pair with these two sides' bounds scores less.
  double bound(double primary_bound, double secondary_bound) const { return offset_ + primary_bound + secondary_bound; }
  // The score but for rounding() and the pair's shared location tags.
  double score(const PrimarySide& primary, const SecondarySide& secondary) const;

  // Upper bound of the difference between score() and the exact score.
  static double rounding(double score);

 private:
  void add_primary(const NodeClass& c, std::size_t index);
  void add_secondary(const NodeClass& c, std::size_t index, std::size_t variant);
  void set_bounds();

  double n_;
  Statistics base_;
  double constant_ = 0.0;  // score of the unchanged nodes without the shared components
  double offset_ = 0.0;
  std::vector<PrimarySide> primaries_;
  std::vector<SecondarySide> secondaries_;
  std::array<double, kSharedComponents.size()> largest_value_{};
};

}  // namespace htools
