// Estimates the scores of many candidates that change one node each, all at once: in columns, by vector instructions.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "metric/lanes.h"
#include "metric/statistics.h"

namespace htools {

// Candidates, each the change of one online node of a set. An estimate differs from the exact score of the changed set
// (Statistics::evaluate()) by rounding errors only, and costs much less than its bounds (ChangedScores::bounds()).
// So the few candidates that may be the best are found fast.
class SingleEstimates {
 public:
  // Adds a candidate at the end.
  void add(const ComponentValues& before, const ComponentValues& after);
  // Removes the candidate at `place`. The last one takes its place.
  void remove(std::size_t place);

  // Returns the places of the candidates that may have the lowest exact score, in ascending order, and at least one of
  // them if there are any. `base` are the statistics of the unchanged set. Returns no places if some score may not be
  // finite.
  std::vector<std::size_t> nearly_best(const Statistics& base) const;

 private:
  // The changes of one component by candidate: of the value, and of its square.
  struct Column {
    std::vector<double> delta, square_delta;
  };
  // Updates what is known of all candidates that there are or were.
  void note(const ComponentValues& before, const ComponentValues& after);

  LaneWidth width_ = widest_lanes();
  std::array<Column, kComponentCount> columns_;
  std::vector<double> sums_;  // by candidate: the weighted changes of components that are sums
  // Over all candidates that there are or were: the largest absolute values of the components and of their changes; and
  // by component, the first component that has had the same values in all of them. Equal columns are computed once.
  ComponentValues largest_value_, largest_delta_;
  std::array<std::size_t, kComponentCount> twin_;
  bool any_noted_ = false;
};

}  // namespace htools
