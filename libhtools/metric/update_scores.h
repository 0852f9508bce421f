// Scores after one node more was replaced by Statistics::update, for many such updates of the same statistics at once.
#pragma once

#include <cstddef>
#include <vector>

#include "metric/statistics.h"

namespace htools {

// How the values of an online node change.
struct ValueChange {
  ComponentValues delta;
  ComponentValues square_delta;

  ValueChange(const ComponentValues& old_values, const ComponentValues& new_values);
};

// Scores of pairs of changes, by the specified incremental update.
class UpdateScores {
 public:
  // `changes`: of one node each.
  explicit UpdateScores(const std::vector<ValueChange>& changes);

  // For each change the score of `base` after Statistics::update with it, to the last bit. `base` must have been
  // updated at least once, which leaves no variance NaN.
  std::vector<double> scores(const Statistics& base) const;

 private:
  // A component that some of the changes touch, with what it changes by.
  struct Touched {
    std::size_t component;
    std::vector<double> delta;
    std::vector<double> square_delta;
  };
  std::vector<double> updated_values(const Statistics& base, const Touched& touched) const;

  std::size_t count_;
  std::vector<Touched> touched_;  // in the order of the components
};

}  // namespace htools
