// Computes scores of pairs of node classes to within rounding, and lower bounds that are sums of one number per side.
//
// The values of a node before and after it takes the instance are all that a side needs, so these scores serve new
// instances and instances that move alike. The sides of secondaries come from columns (secondary_sides.h), which can be
// kept from one search to the next, and only those that can be part of the best pair are set up one by one. This halves
// the time of a simulation with drbd on 1,000 nodes.
//
// Almost all components are changed by only one node of the pair. For the five that both nodes change, the new variance
// is the old one plus a part of the primary, a part of the secondary, and a small product of both. The square root is
// concave, so over the range of variances that occurs it lies above its chord. The chord is linear, so it splits into a
// part of the primary and a part of the secondary.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "metric/statistics.h"
#include "placement/secondary_sides.h"

namespace htools {

// The scores of pairs of nodes for a mirrored instance, and lower bounds of them. Add all primaries, call set_bounds()
// and then, if is_valid() is true, the rest.
class PairScores {
 public:
  // A class of nodes in the role of the primary. The caller numbers the classes.
  struct PrimarySide {
    std::size_t node_class;
    double bound;  // this side's part of the lower bound
    double own;    // weighted change of the components that are not shared
    // The shared components after the change: their sums and variances, and the gain, which is the change of the
    // variance.
    std::array<double, kSharedComponents.size()> sum, variance, gain;
  };

  // A class of nodes in the role of the secondary; the first members correspond to those of PrimarySide.
  struct SecondarySide {
    std::size_t node_class;
    std::size_t variant;
    double bound;
    double own;
    std::array<SecondarySides::Change, kSharedComponents.size()> changes;  // of the shared components
  };

  // `base` has the statistics of the nodes before they take the instance. `secondaries` must outlive the object, and
  // must not change while it is in use.
  PairScores(const Statistics& base, const SecondarySides& secondaries);

  // Adds a primary whose nodes, which are online, have these values before and after they take the instance. The change
  // of LocationExclusion, which has no values by node, is the change of the collisions.
  void add_primary(std::size_t node_class, const ComponentValues& before, const ComponentValues& after);
  // Sets the bounds of all sides.
  void set_bounds();

  // False if values are so large that their squares are not finite, if both sides change a component that is not
  // shared, or if a secondary changes a deviation other than kSecondaryDeviations. Then scores and bounds mean nothing.
  bool is_valid() const;

  // The sides of primaries, in the order in which they were added until for_each_up_to() is called.
  const std::vector<PrimarySide>& primaries() const { return primaries_; }

  // Calls `look_at(primary, secondary)` for pairs of sides, among them all with a score up to `limit()`, which may fall
  // with each call. The pair with the lowest bound, which usually sets the limit for all others, comes first. Drops the
  // sides that no such pair has.
  template <class Limit, class LookAt>
  void for_each_up_to(const Limit& limit, const LookAt& look_at);
  // Calls `look_at(secondary)` for secondaries, among them all with a score up to `limit()` together with this primary.
  // The limit may fall with each call. Call keep_all_secondaries() before.
  template <class Limit, class LookAt>
  void for_each_secondary_up_to(const PrimarySide& primary, const Limit& limit, const LookAt& look_at) const;
  void keep_all_secondaries();

  // Returns the score of a pair, except for the location tags that the two nodes share.
  double score(const PrimarySide& primary, const SecondarySide& secondary) const;

  // Returns an upper bound of the difference between score() and the exact score of two updates (Statistics::update()).
  static double rounding(double score);
  // Returns an upper bound of the difference between any score() and the exact score of the changed nodes
  // (Statistics::evaluate()), if the variances of the base differ from the exact ones by up to `base_noise`. It is
  // infinite or not a number if there is none.
  double uncertainty(const ComponentValues& base_noise = {}) const;

 private:
  // A change of one node by component: of the value, of its square, and of the variance.
  struct Step {
    ComponentValues delta, square_delta, gain;
  };

  // Returns the change of a primary from `before` to `after`, and enters it in the members below.
  Step enter(const ComponentValues& before, const ComponentValues& after);
  // Returns the weighted change of the components that are not shared.
  double own_change(const Step& step) const;
  // Returns the secondary at this position in sides_.
  SecondarySide secondary(std::size_t side) const;
  std::size_t lowest_secondary() const;
  // Keeps only the secondaries with a bound up to `limit`, and sorts them by bound.
  void keep_secondaries_up_to(double limit);
  // Keeps only the sides that can be part of a pair with a bound up to `limit`, and sorts them by bound.
  void keep_up_to(double limit);
  // Returns a lower bound of the scores of the pairs whose sides have these bounds.
  double bound(double primary_bound, double secondary_bound) const { return offset_ + primary_bound + secondary_bound; }

  static constexpr auto kByBound = [](const auto& a, const auto& b) { return a.bound < b.bound; };

  const SecondarySides& sides_;
  double n_;  // the number of online nodes
  Statistics base_;
  ComponentValues values_;  // of the components of the unchanged nodes
  double constant_ = 0.0;   // the score of the unchanged nodes without the shared components
  double offset_ = 0.0;     // the part of the lower bound that all pairs have in common
  std::vector<PrimarySide> primaries_;
  std::vector<double> own_changes_, bounds_;  // `own` and `bound` of the secondaries, by position in sides_
  std::vector<SecondarySide> secondaries_;    // those that are kept
  // Of all primaries: the largest absolute values of the components, which limit the rounding errors, the largest
  // absolute changes, and the ranges of the changes of the variances.
  ComponentValues largest_value_, largest_delta_, least_gain_, highest_gain_;
};

template <class Limit, class LookAt>
void PairScores::for_each_up_to(const Limit& limit, const LookAt& look_at) {
  if (primaries_.empty() || sides_.size() == 0) return;
  const PrimarySide lowest_primary = *std::min_element(primaries_.begin(), primaries_.end(), kByBound);
  const SecondarySide lowest = secondary(lowest_secondary());
  look_at(lowest_primary, lowest);
  keep_up_to(limit());
  for (const PrimarySide& p : primaries_) {
    if (bound(p.bound, lowest.bound) > limit()) break;
    for_each_secondary_up_to(p, limit, [&](const SecondarySide& s) {
      const bool seen =
          p.node_class == lowest_primary.node_class && s.node_class == lowest.node_class && s.variant == lowest.variant;
      if (!seen) look_at(p, s);
    });
  }
}

template <class Limit, class LookAt>
void PairScores::for_each_secondary_up_to(const PrimarySide& primary, const Limit& limit, const LookAt& look_at) const {
  for (const SecondarySide& s : secondaries_) {
    if (bound(primary.bound, s.bound) > limit()) break;
    look_at(s);
  }
}

}  // namespace htools
