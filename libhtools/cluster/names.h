// Reads names of fixed vocabularies. Each vocabulary is a table of names in the order of its enumeration.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {

// Returns the enumerator that `names` calls `text`; the match is exact and case-sensitive. Throws InputError with the
// name of the vocabulary ("Invalid string value for type DiskTemplate: ...").
template <class Enum, std::size_t N>
Enum parse_name(std::string_view text, const std::array<std::string_view, N>& names, std::string_view vocabulary) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  throw InputError(ErrorCode::InvalidValue,
                   "Invalid string value for type " + std::string(vocabulary) + ": " + quote(text), {},
                   did_you_mean(text, names));
}

}  // namespace htools
