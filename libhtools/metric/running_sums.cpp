#include "metric/running_sums.h"

#include <algorithm>
#include <cstring>

namespace htools {

namespace {

// Vectors of four rows. Processors without AVX2 compute them in halves.
constexpr std::size_t kRowsOfVector = 4;
using RowVector [[gnu::vector_size(kRowsOfVector * sizeof(double))]] = double;
using RowMask [[gnu::vector_size(kRowsOfVector * sizeof(std::int64_t))]] = std::int64_t;

// Rows that are looked at together: two vectors, because finding out whether all rows are as expected takes as long as
// computing them.
constexpr std::size_t kRowsOfStep = 2 * kRowsOfVector;

// Reads a vector from any address. (Returned by value, it would need another calling convention than without AVX2.)
[[gnu::always_inline]] inline void load(RowVector& vector, const double* values) {
  std::memcpy(&vector, values, sizeof vector);
}

[[gnu::always_inline]] inline bool all_set(const RowMask& mask) { return (mask[0] & mask[1] & mask[2] & mask[3]) != 0; }

// Sets the sums after the next rows to those beside plus `distance`, which the sum before them must have. Returns true
// if they are what adding row by row gives.
[[gnu::always_inline]] inline bool take_step(double* sums, const double* beside, const double* terms, double distance) {
  RowMask equal = RowMask{} - 1;
  for (std::size_t i = 0; i < kRowsOfStep; i += kRowsOfVector) {
    RowVector before, after, added;
    load(before, beside + i), load(after, beside + i + 1), load(added, terms + i);
    before += distance, after += distance;
    std::memcpy(sums + i + 1, &after, sizeof after);
    equal &= before + added == after;
  }
  return all_set(equal);
}

[[gnu::always_inline]] inline void continue_in_steps(double* sums, const double* beside, const double* terms,
                                                     std::size_t row, std::size_t rows) {
  while (row < rows) {
    const double distance = sums[row] - beside[row];
    if (beside[row] + distance == sums[row]) {
      while (row + kRowsOfStep <= rows && take_step(sums + row, beside + row, terms + row, distance))
        row += kRowsOfStep;
    }
    double sum = sums[row];
    for (const std::size_t end = std::min(row + kRowsOfStep, rows); row < end; ++row) sums[row + 1] = sum += terms[row];
  }
}

[[gnu::always_inline]] inline bool step_is_equal(const double* before, const double* terms, const double* after,
                                                 const std::int64_t* skipped) {
  RowMask equal = RowMask{} - 1;
  for (std::size_t i = 0; i < kRowsOfStep; i += kRowsOfVector) {
    RowVector sum, term, expected;
    RowMask skip;
    load(sum, before + i), load(term, terms + i), load(expected, after + i + 1);
    std::memcpy(&skip, skipped + i, sizeof skip);
    equal &= (sum + term == expected) | skip;
  }
  return all_set(equal);
}

[[gnu::always_inline]] inline std::size_t first_difference_in_steps(const double* before, const double* terms,
                                                                    const double* after, const std::int64_t* skipped,
                                                                    std::size_t row, std::size_t rows) {
  while (row + kRowsOfStep <= rows && step_is_equal(before + row, terms + row, after + row, skipped + row))
    row += kRowsOfStep;
  while (row < rows && (skipped[row] != 0 || before[row] + terms[row] == after[row + 1])) ++row;
  return row;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void continue_in_steps_avx2(double* sums, const double* beside, const double* terms,
                                                            std::size_t row, std::size_t rows) {
  continue_in_steps(sums, beside, terms, row, rows);
}
__attribute__((target("avx2"))) std::size_t first_difference_avx2(const double* before, const double* terms,
                                                                  const double* after, const std::int64_t* skipped,
                                                                  std::size_t row, std::size_t rows) {
  return first_difference_in_steps(before, terms, after, skipped, row, rows);
}
#endif

}  // namespace

void continue_sum(double* sums, const double* beside, const double* terms, std::size_t row, std::size_t rows,
                  [[maybe_unused]] LaneWidth width) {
#if defined(__x86_64__)
  if (width == LaneWidth::Avx2) return continue_in_steps_avx2(sums, beside, terms, row, rows);
#endif
  continue_in_steps(sums, beside, terms, row, rows);
}

std::size_t first_difference(const double* before, const double* terms, const double* after,
                             const std::int64_t* skipped, std::size_t row, std::size_t rows,
                             [[maybe_unused]] LaneWidth width) {
#if defined(__x86_64__)
  if (width == LaneWidth::Avx2) return first_difference_avx2(before, terms, after, skipped, row, rows);
#endif
  return first_difference_in_steps(before, terms, after, skipped, row, rows);
}

}  // namespace htools
