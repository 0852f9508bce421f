#include "search/slot_counts.h"

#include <doctest/doctest.h>

#include <vector>

namespace htools::slot_counts_test {

using htools::change_count;
using htools::count_of;
using htools::largest_count;
using htools::SlotCount;

TEST_CASE("counts are kept for the numbers that occur, and dropped where none is left") {
  std::vector<SlotCount> counts;
  CHECK(count_of(counts, 7) == 0);
  CHECK(largest_count(counts) == 0);
  change_count(counts, 7, 1);
  change_count(counts, 3, 2);
  change_count(counts, 5, 1);
  change_count(counts, 7, 3);
  CHECK(count_of(counts, 7) == 4);
  CHECK(count_of(counts, 3) == 2);
  CHECK(count_of(counts, 5) == 1);
  CHECK(count_of(counts, 4) == 0);
  CHECK(largest_count(counts) == 4);
  change_count(counts, 7, -4);
  CHECK(counts.size() == 2);
  CHECK(count_of(counts, 7) == 0);
  CHECK(count_of(counts, 3) == 2);
  CHECK(count_of(counts, 5) == 1);
  CHECK(largest_count(counts) == 2);
  change_count(counts, 3, -1);
  CHECK(counts.size() == 2);
  CHECK(count_of(counts, 3) == 1);
}

TEST_CASE("the largest count is 0 if all others are below") {
  CHECK(largest_count({{1, -3}, {2, -1}}) == 0);
  CHECK(largest_count({{1, 1}, {2, -1}}) == 1);
}

}  // namespace htools::slot_counts_test
