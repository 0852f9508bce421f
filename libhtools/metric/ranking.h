// The candidates of a placement in the order in which they would be chosen, found out as far as asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "metric/replacement.h"

namespace htools {

// Order: lowest score first, equal scores: highest position first. Scores that are not finite follow the rule of the
// specified sort (a natural merge sort of the candidates, highest position first, that takes a pair as out of order
// when it is neither less nor equal).
class Ranking {
 public:
  // Candidates in ascending order of position. Both must outlive the ranking.
  Ranking(const ReplacementScores& scores, const std::vector<ReplacementScores::Candidate>& candidates);

  // The next candidate (its place in the vector), or nothing after the last.
  std::optional<std::size_t> next();

 private:
  struct Scored {
    double score;
    std::size_t candidate;
  };
  void score_all();
  void score_up_to(double limit);

  const ReplacementScores& scores_;
  const std::vector<ReplacementScores::Candidate>& candidates_;
  struct Open {
    double low, high;
    std::size_t candidate;
  };
  std::vector<Open> open_;     // not scored yet
  double open_low_ = 0.0;      // lowest low among them
  std::vector<Scored> ready_;  // in reverse order: the next one is last
};

// Sorts by score as specified, also when scores are NaN.
void sort_by_score(std::vector<std::pair<double, std::size_t>>& scored);

}  // namespace htools
