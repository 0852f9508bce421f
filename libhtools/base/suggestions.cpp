#include "base/suggestions.h"

#include <algorithm>
#include <array>

namespace htools {
namespace {

constexpr std::size_t kMostSuggestions = 3;
// A suggestion may differ from the typed name by one error for every three characters of the longer one, and by no more
// than three errors.
constexpr std::size_t kMostErrors = 3;
constexpr std::size_t kCharactersPerError = 3;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// True if the distance is small enough for a suggestion; `longer` is the length of the longer name.
bool is_near(std::size_t distance, std::size_t longer) {
  return distance <= std::min(kMostErrors, longer / kCharactersPerError);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongestComparedName + 1>;  // distances from one prefix of `a` to each of `b`
  Row before_last{}, last{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto equal = [&](std::size_t k, std::size_t l) { return lower(a[k - 1]) == lower(b[l - 1]); };
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && equal(i, j - 1) && equal(i - 1, j)) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string_view> similar_names(std::string_view typed, std::span<const std::string_view> names) {
  std::vector<std::string_view> nearest;
  std::size_t least = kMostErrors;
  for (const std::string_view name : names) {
    const auto [shorter, longer] = std::minmax({typed.size(), name.size()});
    if (longer > kLongestComparedName || !is_near(longer - shorter, longer)) continue;
    const std::size_t distance = edit_distance(typed, name);
    if (distance > least || !is_near(distance, longer)) continue;
    if (distance < least) nearest.clear();
    least = distance;
    if (nearest.size() < kMostSuggestions && std::find(nearest.begin(), nearest.end(), name) == nearest.end())
      nearest.push_back(name);
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names, std::string_view prefix) {
  const std::vector<std::string_view> nearest = similar_names(typed, names);
  std::string text;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    text += i == 0 ? "Did you mean " : i + 1 == nearest.size() ? " or " : ", ";
    text.append(prefix).append(nearest[i]);
  }
  return text.empty() ? text : text + "?";
}

}  // namespace htools
