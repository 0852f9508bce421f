// Defines a stable sort whose result is defined even if the comparison is not an order, as with scores that are NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace htools {

// Sorts the list: splits it into maximal runs and merges neighbouring ones pairwise. `out_of_order(a, b)` is true if b
// belongs before a. A run that descends (each pair out of order) is reversed. A merge takes an element from the right
// run only if it is out of order with the next one of the left run.
template <class T, class OutOfOrder>
void natural_merge_sort(std::vector<T>& list, OutOfOrder out_of_order) {
  using Run = std::vector<T>;
  const auto at = [&](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<Run> runs;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    const bool descending = end < list.size() && out_of_order(list[i], list[end]);
    while (end < list.size() && out_of_order(list[end - 1], list[end]) == descending) ++end;
    Run run(at(i), at(end));
    if (descending) std::reverse(run.begin(), run.end());
    runs.push_back(std::move(run));
    i = end;
  }
  const auto merge = [&](const Run& a, const Run& b) {
    Run merged;
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) merged.push_back(out_of_order(a[i], b[j]) ? b[j++] : a[i++]);
    merged.insert(merged.end(), a.begin() + static_cast<std::ptrdiff_t>(i), a.end());
    merged.insert(merged.end(), b.begin() + static_cast<std::ptrdiff_t>(j), b.end());
    return merged;
  };
  while (runs.size() > 1) {
    std::vector<Run> merged;
    for (std::size_t r = 0; r + 1 < runs.size(); r += 2) merged.push_back(merge(runs[r], runs[r + 1]));
    if (runs.size() % 2 == 1) merged.push_back(std::move(runs.back()));
    runs = std::move(merged);
  }
  if (!runs.empty()) list = std::move(runs.front());
}

}  // namespace htools
