// Names that a misspelt one may have been meant to be. Upper and lower case count as equal. The time it takes is
// bounded: only names of nearly the same length are compared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Names longer than this are near to nothing.
inline constexpr std::size_t kLongestComparedName = 48;  // bytes

// How many characters have to be inserted, deleted, replaced or exchanged with their neighbours, none of them twice
// (Damerau-Levenshtein, restricted), to make one text of the other. None may be longer than kLongestComparedName.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest names, in the order of `names`, at most three. None if even the nearest one is not near: of three
// characters one may be wrong, of six two, of nine and more three.
std::vector<std::string_view> similar_names(std::string_view typed, std::span<const std::string_view> names);

// "Did you mean A, B or C?", where `prefix` stands before each name. Empty if no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names, std::string_view prefix = {});

}  // namespace htools
