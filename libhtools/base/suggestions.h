// Suggests names that a user may have meant by a misspelt one. Upper and lower case count as equal. The time is
// bounded, because only names of nearly the same length are compared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The length up to which names are compared; longer ones are never suggested.
inline constexpr std::size_t kLongestComparedName = 48;  // bytes

// Returns how many characters must be inserted, deleted, replaced or swapped with their neighbours, none of them twice,
// to turn one text into the other (the restricted Damerau-Levenshtein distance). Neither text may be longer than
// kLongestComparedName.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the nearest names, at most three different ones, in the order of `names`. Returns none if even the nearest
// one is not near: one error is allowed in a name of three characters, two in six, and three in nine or more.
std::vector<std::string_view> similar_names(std::string_view typed, std::span<const std::string_view> names);

// Returns "Did you mean A, B or C?", with `prefix` before each name. Returns an empty text if no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names, std::string_view prefix = {});

}  // namespace htools
