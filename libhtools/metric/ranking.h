// Ranks the candidates of a placement in the order of preference. Computes exact scores only as far as the caller asks.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "metric/changed_scores.h"

namespace htools {

// The order of candidates by score: the lowest score first; of equal scores, the highest position first. If a score may
// not be finite, the sort of the reference (htools of Ganeti 3.0.2) decides: a natural merge sort of the candidates,
// highest position first, that takes a pair as out of order if the first score is neither less than nor equal to the
// second.
class Ranking {
 public:
  // Takes the candidates in ascending order of position. `scores` and `candidates` must outlive the ranking.
  Ranking(const ChangedScores& scores, const std::vector<ChangedScores::Candidate>& candidates);

  // Returns the next candidate (its place in the vector), or nothing after the last.
  std::optional<std::size_t> next();

 private:
  // A candidate (its place in the vector) with its exact score, or with one that is as far from all others.
  struct Scored {
    double score;
    std::size_t candidate;
  };
  // Scores all candidates and sorts them by sort_by_score().
  void score_all();
  // Scores the open candidates whose lower bound is not above `limit`, and merges them into ready_. A single one that
  // is certainly the best is not scored.
  void score_up_to(double limit);

  const ChangedScores& scores_;
  const std::vector<ChangedScores::Candidate>& candidates_;
  // A candidate that has not been scored, with the bounds of its score.
  struct Open {
    double low, high;
    std::size_t candidate;
  };
  std::vector<Open> open_;     // not scored yet, in any order
  double open_low_ = 0.0;      // the lowest lower bound in open_
  std::vector<Scored> ready_;  // in reverse order: the next one is last
};

// Sorts pairs of score and position by score with the natural merge sort described above, which also defines the order
// of NaN.
void sort_by_score(std::vector<std::pair<double, std::size_t>>& scored);

}  // namespace htools
