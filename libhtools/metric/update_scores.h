// Scores after one node more was replaced by Statistics::update, for many such updates of the same statistics.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "metric/statistics.h"

namespace htools {

// How the values of an online node change.
struct ValueChange {
  ComponentValues delta;
  ComponentValues square_delta;

  ValueChange(const ComponentValues& old_values, const ComponentValues& new_values)
      : delta(new_values - old_values), square_delta(new_values * new_values - old_values * old_values) {}
};

// The components (positions) that any of the changes touches.
std::vector<std::size_t> touched_components(const std::vector<ValueChange>& changes);

class UpdateScores {
 public:
  // `base` must have been updated at least once, which leaves no variance NaN. `touched`: all components that the
  // changes touch; must outlive this.
  UpdateScores(const Statistics& base, const std::vector<std::size_t>& touched);

  // The same as that of `base` after the update, to the last bit.
  double score(const ValueChange& change) const;

 private:
  const Statistics& base_;
  const std::vector<std::size_t>& touched_;
  std::array<double, kComponentCount> terms_;  // weighted values of the base
};

}  // namespace htools
