// Computes the scores after one more node is replaced by Statistics::update(), for many such updates of the same
// statistics at once.
#pragma once

#include <cstddef>
#include <vector>

#include "metric/statistics.h"

namespace htools {

// The change of the values of an online node: the differences of the values and of their squares.
struct ValueChange {
  ComponentValues delta;
  ComponentValues square_delta;

  ValueChange(const ComponentValues& old_values, const ComponentValues& new_values);
};

// The scores after each of many changes, computed with the formula of Statistics::update().
class UpdateScores {
 public:
  // Takes the changes, each of which changes one node.
  explicit UpdateScores(const std::vector<ValueChange>& changes);

  // Returns, for each change, the score of `base` after Statistics::update() with it, to the last bit. `base` must have
  // been updated at least once, because only then no variance is NaN.
  std::vector<double> scores(const Statistics& base) const;

 private:
  // A component that some of the changes affect, with the differences of each change.
  struct Touched {
    std::size_t component;
    std::vector<double> delta;
    std::vector<double> square_delta;
  };
  // Returns the new value of the component after each change.
  std::vector<double> updated_values(const Statistics& base, const Touched& touched) const;

  std::size_t count_;
  std::vector<Touched> touched_;  // in the order of the components
};

}  // namespace htools
