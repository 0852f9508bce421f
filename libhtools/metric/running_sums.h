// Computes and compares running sums, several rows at once. A running sum is given by its partial results: `sums[r]` is
// the rounded sum of the terms of the rows before row r.
#pragma once

#include <cstddef>
#include <cstdint>

#include "metric/lanes.h"

namespace htools {

// Sets `sums[r + 1]` to `sums[r] + terms[r]`, for each row r from `row` to `rows` - 1. `beside` is a running sum of the
// same terms that started elsewhere.
//
// Until one of both reaches the next power of two, where rounding gets coarser, they mostly keep their distance. So the
// next sums are taken to have the same distance, all at once, and are kept if each one is the rounded sum of the one
// before and its term. With this, a simulation of plain instances on 400 equal nodes takes 0.86 of the time.
void continue_sum(double* sums, const double* beside, const double* terms, std::size_t row, std::size_t rows,
                  LaneWidth width);

// Returns the first row r from `row` to `rows` - 1 for which `before[r] + terms[r]` differs from `after[r + 1]`, or
// `rows` if there is none. Rows with skipped[r] == -1 do not count; the others have 0. Zeros of either sign are equal.
// Looking at several rows at once makes the same simulation take 0.96 of the time.
std::size_t first_difference(const double* before, const double* terms, const double* after,
                             const std::int64_t* skipped, std::size_t row, std::size_t rows, LaneWidth width);

}  // namespace htools
